"""The explorer for a host that runs Streamlit apps.  It stands in a folder of its own, which Streamlit puts before all others."""

from ordeval.app.pages import explorer

if __name__ == "__main__":  # processes of heavy work read this file, too
    explorer()
