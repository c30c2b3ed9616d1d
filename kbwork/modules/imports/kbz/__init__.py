"""The file format kbz: projects without loss, as lines of JSON in a zip, with the bytes of their files."""
