"""Tumult Analytics on a local Spark: mean, or mean and variance at half the budget each."""

import atexit
import os
import shutil
import sys
import tempfile

os.environ["PYSPARK_PYTHON"] = sys.executable
os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"

from pyspark.sql import SparkSession
from tmlt.analytics import AddRowsWithID, KeySet, MaxRowsPerID, PureDPBudget, QueryBuilder, Session

import peer

OPENED = "--add-opens=java.base/java.nio=ALL-UNNAMED --add-opens=java.base/sun.nio.ch=ALL-UNNAMED -Dio.netty.tryReflectionSetAccessible=true"

folder = tempfile.mkdtemp(prefix="tumult-", dir=os.environ.get("PEER_FOLDER"))
atexit.register(shutil.rmtree, folder, ignore_errors=True)
spark = (
    SparkSession.builder.master("local[2]")
    .config("spark.ui.enabled", "false")
    .config("spark.ui.showConsoleProgress", "false")
    .config("spark.driver.memory", "2g")
    .config("spark.sql.shuffle.partitions", "2")
    .config("spark.sql.warehouse.dir", os.path.join(folder, "warehouse"))
    .config("spark.local.dir", folder)
    .config("spark.driver.extraJavaOptions", f"-Dderby.system.home={folder} {OPENED}")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("ERROR")


def read(job):
    return spark.read.csv(job["records"], header=True, schema="user string, grid string, value double")


def answer(data, job, task):
    session = Session.from_dataframe(
        PureDPBudget(task["epsilon"]), "records", data, protected_change=AddRowsWithID("user")
    )
    grouped = (
        QueryBuilder("records")
        .enforce(MaxRowsPerID(task["bounds"]["total"]))
        .groupby(KeySet.from_dict({"grid": job["groups"]}))
    )
    queries = {"mean": grouped.average, "variance": grouped.variance}
    part = PureDPBudget(task["epsilon"] / len(task["statistics"]))
    given = {}
    for name in task["statistics"]:
        query = queries[name]("value", float(job["lower"]), float(job["upper"]), name="answer")
        of_group = {row["grid"]: row["answer"] for row in session.evaluate(query, part).collect()}
        given[name] = [of_group[group] for group in job["groups"]]
    return given


peer.run(["tmlt.analytics", "tmlt.core", "pyspark"], read, answer)
