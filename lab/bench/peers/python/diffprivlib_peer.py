"""diffprivlib, which knows records and no users: contributions are bounded here, and ε is divided by how many records a user may have.

Kept are a user's first records in the order of the file, which has nothing to do with values. Then two datasets that
differ in one user's values differ in at most `most_contributions` records, and a release that is ε/c private for one
record is ε private for c of them. A group's kept count is taken to be known, as diffprivlib does.
"""

from collections import Counter, defaultdict

import diffprivlib
import numpy

import peer


def bounded(rows, bounds):
    """Values by group."""
    values = defaultdict(list)
    seen = Counter()
    groups = defaultdict(set)
    for user, group, value in rows:
        if "total" in bounds:
            if seen[user] == bounds["total"]:
                continue
            seen[user] += 1
        else:
            if group not in groups[user] and len(groups[user]) == bounds["groups"]:
                continue
            if seen[user, group] == bounds["records"]:
                continue
            groups[user].add(group)
            seen[user, group] += 1
        values[group].append(value)
    return {group: numpy.array(each) for group, each in values.items()}


def noisy(values, job, task):
    calls = {"mean": diffprivlib.tools.mean, "variance": diffprivlib.tools.var}
    epsilon = task["epsilon"] / (len(task["statistics"]) * peer.most_contributions(task["bounds"]))
    limits = (job["lower"], job["upper"])
    width = job["upper"] - job["lower"]
    without = {"mean": sum(limits) / 2, "variance": width * width / 8}
    return {
        name: [
            float(calls[name](values[group], epsilon=epsilon, bounds=limits)) if group in values else without[name]
            for group in job["groups"]
        ]
        for name in task["statistics"]
    }


def answer(rows, job, task):
    return noisy(bounded(rows, task["bounds"]), job, task)


def answers(rows, job, task):
    """What is kept is the same every time."""
    values = bounded(rows, task["bounds"])
    return [noisy(values, job, task) for _ in range(task["repetitions"])]


peer.run(["diffprivlib"], peer.read_rows, answer, answers)
