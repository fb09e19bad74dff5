"""What every peer's script shares: a JSON file of tasks on the command line, JSON with answers, seconds and memory on standard output.

A peer gives `read(job)`, which reads the records, and `answer(data, job, task)`, which releases once and returns a
dictionary from statistic to one number per group. A peer that can draw many releases at less cost than one by one also
gives `answers(data, job, task)`, a list of such dictionaries.
"""

import csv
import json
import math
import os
import sys
import time
from importlib import metadata


def run(packages, read, answer, answers=None):
    with open(sys.argv[1], encoding="utf-8") as file:
        job = json.load(file)
    answers = answers or (lambda data, job, task: [answer(data, job, task) for _ in range(task["repetitions"])])
    results = []
    data = None
    for task in job["tasks"]:
        if task["timed"]:
            results.append(timed(read, answer, job, task))
        else:
            data = read(job) if data is None else data
            results.append({"seconds": [], "answers": answers(data, job, task)})
    for result in results:
        result["answers"] = [
            {name: [finite(number) for number in numbers] for name, numbers in given.items()}
            for given in result["answers"]
        ]
    version = ", ".join(f"{name} {metadata.version(name)}" for name in packages)
    json.dump({"version": version, "peakMegabytes": tree_sum(peak_megabytes_of), "results": results}, sys.stdout)
    sys.stdout.flush()


def finite(number):
    """JSON has no other numbers."""
    return number if number is not None and math.isfinite(number) else None


def timed(read, answer, job, task):
    """From the file to the numbers, each time anew."""
    seconds = []
    processor_seconds = []
    given = []
    for _ in range(task["repetitions"]):
        start = time.perf_counter()
        spent = tree_sum(processor_seconds_of)
        given.append(answer(read(job), job, task))
        processor_seconds.append(tree_sum(processor_seconds_of) - spent)
        seconds.append(time.perf_counter() - start)
    return {"seconds": seconds, "processorSeconds": processor_seconds, "answers": given}


def read_rows(job):
    """The file as a list of (user, group, value)."""
    with open(job["records"], newline="", encoding="utf-8") as file:
        rows = csv.reader(file)
        next(rows)
        return [(user, group, float(value)) for user, group, value in rows]


def most_contributions(bounds):
    """Records that one user may have in all groups together: what the noise is made for."""
    return bounds["total"] if "total" in bounds else bounds["groups"] * bounds["records"]


def tree_sum(measure):
    """Over this process and those it started."""
    parents = {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            parents[int(name)] = int(stat_fields(name)[1])
        except OSError:
            continue
    own = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in own} - own:
        own |= more
    total = 0.0
    for process in own:
        try:
            total += measure(process)
        except OSError:
            continue
    return total


def stat_fields(process):
    """From the state on: what stands before it may hold spaces."""
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return file.read().rsplit(")", 1)[1].split()


def processor_seconds_of(process):
    """Its own and those of processes it has waited for."""
    return sum(int(ticks) for ticks in stat_fields(process)[11:15]) / os.sysconf("SC_CLK_TCK")


def peak_megabytes_of(process):
    with open(f"/proc/{process}/status", encoding="utf-8") as file:
        peaks = [line.split()[1] for line in file if line.startswith("VmHWM:")]
    return int(peaks[0]) / 1024 if peaks else 0.0
