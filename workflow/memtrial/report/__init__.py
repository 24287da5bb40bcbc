"""Report: one page that opens from disk, and its plots as SVG, made from tables and receipts alone."""
