"""What the pages share. Streamlit's page scan ignores sub-folders of ``pages``."""
