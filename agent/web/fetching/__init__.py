"""Reading what stands at an address that a model or a person chose, without reaching anything but the public web."""
