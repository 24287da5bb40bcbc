# What the import of published results needs. No rule stands here.

from memtrial import field_map, result_files


def import_of(axis):
    """The definition of an imported reader or judge for a job's cell: its own entry, all names filled in."""

    def resolved(wildcards):
        name = getattr(wildcards, axis.removesuffix("s"))
        given = spec.reader(config, name) if axis == "readers" else spec.judge(config, name)
        return field_map.of_cell(given, {**dict(wildcards.items()), "draw": given.get("draw", 1)})

    return resolved


def imported(axis):
    """The files of an imported reader or judge for a job's cell."""
    of = import_of(axis)

    def files(wildcards):
        return result_files.source_files(given_path(of(wildcards)["source"]))

    return files


def rankings_of_log(wildcards):
    """The retrieval log of an external system, as it is for this benchmark."""
    names = {"benchmark": wildcards.benchmark, "system": wildcards.system}
    return field_map.of_cell(config["systems"][wildcards.system]["rankings"], names)


def imported_rankings(wildcards):
    return result_files.source_files(given_path(rankings_of_log(wildcards)["source"]))


def control_receipts(wildcards):
    """The receipts of an imported judge's controls."""
    return [given_path(path) for path in config["judges"][wildcards.judge]["control_receipts"]]


def control_receipts_spec(wildcards):
    """Which receipts, and who the judge is by its definition: the template is not in them."""
    given = config["judges"][wildcards.judge]
    identity = {"protocol": given.get("protocol", "import"), "template_sha256": "", "draw": given.get("draw", 1)}
    return {
        "control_receipts": given["control_receipts"],
        "identity": {**identity, "model_requested": given.get("model", field_map.UNKNOWN_MODEL)},
    }


def dossier_spec(wildcards):
    """The dossiers of a benchmark's disputed gold, none by default."""
    return {"disputed": spec.benchmark(config, wildcards.benchmark).get("disputed", [])}


def dossier_files(wildcards):
    return [given_path(given["source"]) for given in dossier_spec(wildcards)["disputed"]]
