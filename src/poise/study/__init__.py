"""The experiments of the papers: tables and figures that anyone can redo."""
