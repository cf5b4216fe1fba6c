"""What each page that is drawn without a server asks for is asked once."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

# Every ``AppTest`` reads the metadata of all installed packages: four fifths of the work of its first drawing.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
