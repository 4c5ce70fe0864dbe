"""Kinesis for tests: kinesalite in a process of its own, and what a consumer reads from it."""

import base64
import json
import pathlib
import subprocess

from boto3_support import client

SCRIPT = pathlib.Path(__file__).with_name("kinesalite.mjs")
STREAM = "changes"
STREAM_ARN = f"arn:aws:kinesis:us-east-1:000000000000:stream/{STREAM}"


class KinesisProcess:
    """`with KinesisProcess() as kinesis:` has an active stream until the block ends. It keeps nothing:
    another one at the same port is empty."""

    def __init__(self, port=0, shards=2):
        self._port = port
        self._shards = shards
        self._process = None
        self.client = None

    def __enter__(self):
        self._process = subprocess.Popen(["node", str(SCRIPT), str(self._port)],
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self._process.stdout.readline())
        self.endpoint = f"http://127.0.0.1:{self.port}"
        self.client = client(self.endpoint, service="kinesis")
        self.client.create_stream(StreamName=STREAM, ShardCount=self._shards)
        self.client.get_waiter("stream_exists").wait(StreamName=STREAM,
                                                     WaiterConfig={"Delay": 1, "MaxAttempts": 30})
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.wait(timeout=30)
        self._process.stdout.close()

    def records(self):
        """What is in the stream: for each record its partition key and its JSON, in the order of each
        shard."""
        found = []
        for shard in self.client.describe_stream(StreamName=STREAM)["StreamDescription"]["Shards"]:
            iterator = self.client.get_shard_iterator(
                StreamName=STREAM, ShardId=shard["ShardId"],
                ShardIteratorType="TRIM_HORIZON")["ShardIterator"]
            while True:
                page = self.client.get_records(ShardIterator=iterator)
                found += [(each["PartitionKey"], json.loads(data(each["Data"])))
                          for each in page["Records"]]
                if not page["Records"]:
                    break
                iterator = page["NextShardIterator"]
        return found


def data(blob):
    return blob if isinstance(blob, bytes) else base64.b64decode(blob)
