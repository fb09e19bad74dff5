"""PipelineDP on its local backend: mean, or mean and variance from the same noisy moments."""

import pipeline_dp

import peer


def answer(rows, job, task):
    bounds = task["bounds"]
    limits = (
        {"max_contributions": bounds["total"]}
        if "total" in bounds
        else {
            "max_partitions_contributed": bounds["groups"],
            "max_contributions_per_partition": bounds["records"],
        }
    )
    metrics = {"mean": pipeline_dp.Metrics.MEAN, "variance": pipeline_dp.Metrics.VARIANCE}
    accountant = pipeline_dp.NaiveBudgetAccountant(total_epsilon=task["epsilon"], total_delta=0)
    released = pipeline_dp.DPEngine(accountant, pipeline_dp.LocalBackend()).aggregate(
        rows,
        pipeline_dp.AggregateParams(
            metrics=[metrics[name] for name in task["statistics"]],
            noise_kind=pipeline_dp.NoiseKind.LAPLACE,
            min_value=job["lower"],
            max_value=job["upper"],
            **limits,
        ),
        pipeline_dp.DataExtractors(
            privacy_id_extractor=lambda row: row[0],
            partition_extractor=lambda row: row[1],
            value_extractor=lambda row: row[2],
        ),
        public_partitions=job["groups"],
    )
    accountant.compute_budgets()
    of_group = dict(released)
    return {
        name: [float(getattr(of_group[group], name)) for group in job["groups"]] for name in task["statistics"]
    }


peer.run(["pipeline-dp", "python-dp"], peer.read_rows, answer)
