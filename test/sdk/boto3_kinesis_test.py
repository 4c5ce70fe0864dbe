"""Changes of tables in a stream of Kinesis: the four operations through boto3, and what really
arrives, also when Kinesis is gone for a while and when the server is killed."""

import contextlib
import json
import re
import tempfile
import threading
import time
import unittest
import urllib.request

from botocore.exceptions import BotoCoreError, ClientError

from boto3_support import KINESIS_OPERATIONS, TABLE, client, key, make_table, outcomes, post
from kinesis_process import STREAM_ARN, KinesisProcess
from server_process import ServerProcess

LOOKS = 600
PAUSE_SECONDS = 0.1


def await_(look, what):
    for _ in range(LOOKS):
        found = look()
        if found:
            return found
        time.sleep(PAUSE_SECONDS)
    raise AssertionError(f"in vain: {what}")


def destinations(dynamodb, table=TABLE):
    return dynamodb.describe_kinesis_streaming_destination(
        TableName=table)["KinesisDataStreamDestinations"]


def await_status(dynamodb, status):
    return await_(lambda: destinations(dynamodb)[0]["DestinationStatus"] == status, status)


def figure(endpoint, name):
    with urllib.request.urlopen(f"{endpoint}/metrics", timeout=10) as answer:
        return float(re.search(rf"^{name} (\S+)$", answer.read().decode(), re.M)[1])


def enable(dynamodb, **further):
    return dynamodb.enable_kinesis_streaming_destination(TableName=TABLE, StreamArn=STREAM_ARN,
                                                         **further)


def plain(endpoint, operation, request):
    return post(endpoint, f"DynamoDB_20120810.{operation}", json.dumps(request))


class KinesisTest(unittest.TestCase):
    def refused(self, words, call, **request):
        with self.assertRaises(ClientError) as caught:
            call(**request)
        self.assertIn(words, str(caught.exception))

    def test_all_four_operations_and_what_arrives(self):
        with KinesisProcess() as kinesis, \
                ServerProcess("--memory", "--kinesis-endpoint", kinesis.endpoint) as endpoint:
            dynamodb = client(endpoint)
            make_table(dynamodb)
            self.assertEqual(destinations(dynamodb), [])
            enabled = enable(dynamodb)
            self.assertEqual(enabled["DestinationStatus"], "ENABLING")
            await_status(dynamodb, "ACTIVE")
            self.assertEqual(set(destinations(dynamodb)[0]), {"StreamArn", "DestinationStatus"})
            self.refused("must be DISABLED or ENABLE_FAILED", enable, dynamodb=dynamodb)
            dynamodb.put_item(TableName=TABLE, Item={**key("a", 1), "text": {"S": "grüße"}})
            await_(lambda: len(kinesis.records()) == 1, "a record")
            # As plain requests: Debian's boto3 is older than the operation.
            precise = {"TableName": TABLE, "StreamArn": STREAM_ARN,
                       "UpdateKinesisStreamingConfiguration": {
                           "ApproximateCreationDateTimePrecision": "MICROSECOND"}}
            status, updated = plain(endpoint, "UpdateKinesisStreamingDestination", precise)
            self.assertEqual((status, updated["DestinationStatus"]), (200, "UPDATING"))
            status, refused = plain(endpoint, "UpdateKinesisStreamingDestination", precise)
            self.assertEqual(status, 400)
            self.assertIn("already set", refused["message"])
            _, seen = plain(endpoint, "DescribeKinesisStreamingDestination", {"TableName": TABLE})
            self.assertEqual(
                seen["KinesisDataStreamDestinations"][0]["ApproximateCreationDateTimePrecision"],
                "MICROSECOND")
            dynamodb.delete_item(TableName=TABLE, Key=key("a", 1))
            await_(lambda: len(kinesis.records()) == 2, "two records")
            self.check_records(kinesis.records())
            disabled = dynamodb.disable_kinesis_streaming_destination(TableName=TABLE,
                                                                      StreamArn=STREAM_ARN)
            self.assertEqual(disabled["DestinationStatus"], "DISABLING")
            await_status(dynamodb, "DISABLED")
            self.refused("must be ACTIVE", dynamodb.disable_kinesis_streaming_destination,
                         TableName=TABLE, StreamArn=STREAM_ARN)
            dynamodb.put_item(TableName=TABLE, Item=key("a", 2))
            self.refused("not found", dynamodb.describe_kinesis_streaming_destination,
                         TableName="nowhere")
            self.assertEqual(len(kinesis.records()), 2)
            self.assertEqual(figure(endpoint, "stator_kinesis_delivered_total"), 2)
            counts = outcomes(endpoint)
            for operation in KINESIS_OPERATIONS:
                self.assertIn("ok", counts[operation], operation)
                self.assertGreater(len(counts[operation]), 1, operation)

    def check_records(self, records):
        (partition, inserted), (same, removed) = records
        self.assertEqual(partition, same)
        change = inserted.pop("dynamodb")
        self.assertRegex(inserted.pop("eventID"), r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(inserted, {
            "awsRegion": "us-east-1", "eventName": "INSERT", "userIdentity": None,
            "recordFormat": "application/json", "tableName": TABLE, "eventSource": "aws:dynamodb"})
        item = {**key("a", 1), "text": {"S": "grüße"}}
        # The table's own stream says the same of the size.
        self.assertLess(abs(time.time() - change.pop("ApproximateCreationDateTime") / 1e3), 600)
        size = change.pop("SizeBytes")
        self.assertGreater(size, 10)
        self.assertEqual(change, {"Keys": key("a", 1), "NewImage": item})
        self.assertEqual(removed["eventName"], "REMOVE")
        change = removed["dynamodb"]
        self.assertLess(abs(time.time() - change.pop("ApproximateCreationDateTime") / 1e6), 600)
        self.assertEqual(change, {"Keys": key("a", 1), "OldImage": item, "SizeBytes": size,
                                  "ApproximateCreationDateTimePrecision": "MICROSECOND"})

    def test_a_stream_that_is_not_there_fails_with_its_reason(self):
        nowhere = STREAM_ARN.replace("changes", "nowhere")
        with KinesisProcess() as kinesis, \
                ServerProcess("--memory", "--kinesis-endpoint", kinesis.endpoint) as endpoint:
            dynamodb = client(endpoint)
            make_table(dynamodb)
            dynamodb.enable_kinesis_streaming_destination(TableName=TABLE, StreamArn=nowhere)
            await_status(dynamodb, "ENABLE_FAILED")
            self.assertEqual(destinations(dynamodb)[0]["DestinationStatusDescription"],
                             "User does not have a permission to use kinesis stream")
            enable(dynamodb)
            await_status(dynamodb, "ACTIVE")
            self.assertEqual([each["DestinationStatus"] for each in destinations(dynamodb)],
                             ["ACTIVE", "ENABLE_FAILED"])

    def test_changes_wait_while_kinesis_is_away(self):
        with contextlib.ExitStack() as stack:
            with KinesisProcess() as kinesis:
                port = kinesis.port
                endpoint = stack.enter_context(
                    ServerProcess("--memory", "--kinesis-endpoint", kinesis.endpoint))
                dynamodb = client(endpoint)
                make_table(dynamodb)
                enable(dynamodb)
                await_status(dynamodb, "ACTIVE")
            for number in range(1200):
                dynamodb.put_item(TableName=TABLE, Item=key(f"item{number % 600}", number))
            await_(lambda: figure(endpoint, "stator_kinesis_failing") == 1, "a failure")
            state = destinations(dynamodb)[0]
            self.assertEqual(state["DestinationStatus"], "ACTIVE")
            self.assertIn("DestinationStatusDescription", state)
            with KinesisProcess(port) as kinesis:
                await_(lambda: figure(endpoint, "stator_kinesis_delivered_total") == 1200, "all")
                self.assertEqual(len(kinesis.records()), 1200)
                self.assertEqual(figure(endpoint, "stator_kinesis_failing"), 0)
                self.assertNotIn("DestinationStatusDescription", destinations(dynamodb)[0])

    def test_without_an_endpoint_it_is_refused_with_what_to_do(self):
        with ServerProcess("--memory") as endpoint:
            dynamodb = client(endpoint)
            make_table(dynamodb)
            self.refused("--kinesis-endpoint", enable, dynamodb=dynamodb)


class Writer(threading.Thread):
    """Counts some items up, each for itself, until the server is gone."""

    def __init__(self, endpoint, begin):
        super().__init__()
        self._dynamodb = client(endpoint)
        self.next = dict(begin)
        self.start()

    def run(self):
        with contextlib.suppress(BotoCoreError, ClientError):
            while True:
                for item, number in self.next.items():
                    self._dynamodb.put_item(TableName=TABLE,
                                            Item={**key(item, 1), "n": {"N": str(number)}})
                    self.next[item] = number + 1


class CrashTest(unittest.TestCase):
    KILLS = 4
    ITEMS = 5

    def test_every_acknowledged_change_arrives_in_its_order_whatever_is_killed(self):
        acknowledged = {f"item{number}": 1 for number in range(self.ITEMS)}
        with tempfile.TemporaryDirectory() as folder, KinesisProcess() as kinesis:
            for round_ in range(self.KILLS):
                server = ServerProcess("--data", f"{folder}/data", "--kinesis-endpoint",
                                       kinesis.endpoint)
                with server as endpoint:
                    if round_ == 0:
                        make_table(client(endpoint))
                        enable(client(endpoint))
                    before = figure(endpoint, "stator_kinesis_delivered_total")
                    writer = Writer(endpoint, acknowledged)
                    await_(lambda: figure(endpoint, "stator_kinesis_delivered_total") >=
                           before + 40, "records under way")
                    server.kill()
                    writer.join()
                acknowledged = writer.next
            with ServerProcess("--data", f"{folder}/data", "--kinesis-endpoint",
                               kinesis.endpoint) as endpoint:
                dynamodb = client(endpoint)
                await_(lambda: self.has_all(kinesis, acknowledged), "everything acknowledged")
                # Nothing more comes: what was sent is not sent again and again.
                await_(lambda: figure(endpoint, "stator_kinesis_oldest_seconds") == 0, "the rest")
                self.check(self.numbers(kinesis), acknowledged)
                self.assertEqual(destinations(dynamodb)[0]["DestinationStatus"], "ACTIVE")

    @staticmethod
    def numbers(kinesis):
        numbers = {}
        for _, record in kinesis.records():
            image = record["dynamodb"]["NewImage"]
            numbers.setdefault(image["pk"]["S"], []).append(int(image["n"]["N"]))
        return numbers

    def has_all(self, kinesis, acknowledged):
        numbers = self.numbers(kinesis)
        return all(numbers.get(item, [0])[-1] >= last - 1 for item, last in acknowledged.items())

    def check(self, numbers, acknowledged):
        for item, last in acknowledged.items():
            seen = numbers[item]
            self.assertEqual(seen, sorted(seen), f"{item}: in the order of its changes")
            self.assertGreaterEqual(set(seen), set(range(1, last)), f"{item}: none is missing")
            self.assertLessEqual(len(seen), len(set(seen)) + self.KILLS,
                                 f"{item}: at most one repetition for each crash")


if __name__ == "__main__":
    unittest.main()
