"""memtrial: the pure stage logic of the workflow; nothing in here knows Snakemake."""
