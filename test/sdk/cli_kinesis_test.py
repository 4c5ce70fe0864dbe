"""The AWS command line on tables whose changes leave for Kinesis."""

import tempfile
import time
import unittest

from boto3_support import KINESIS_OPERATIONS, TABLE, key, outcomes
from cli_test import CREATE_TABLE, ELSEWHERE, ON_TABLE, CommandLine
from kinesis_process import STREAM_ARN, KinesisProcess
from server_process import ServerProcess

ARN = ["--stream-arn", STREAM_ARN]
PRECISION = ["--update-kinesis-streaming-configuration",
             "ApproximateCreationDateTimePrecision=MICROSECOND"]
COMMANDS = {
    "enable-kinesis-streaming-destination": ARN,
    "disable-kinesis-streaming-destination": ARN,
    "update-kinesis-streaming-destination": [*ARN, *PRECISION],
    "describe-kinesis-streaming-destination": [],
}


class KinesisCommandLineTest(unittest.TestCase):
    def status(self, aws):
        listed = aws("describe-kinesis-streaming-destination", *ON_TABLE)
        return listed["KinesisDataStreamDestinations"][0]["DestinationStatus"]

    def await_status(self, aws, status):
        for _ in range(60):
            if self.status(aws) == status:
                return
            time.sleep(0.1)
        self.fail(f"never {status}")

    def test_a_destination_is_enabled_updated_and_disabled(self):
        with tempfile.TemporaryDirectory() as folder, KinesisProcess() as kinesis, \
                ServerProcess("--memory", "--kinesis-endpoint", kinesis.endpoint) as endpoint:
            aws = CommandLine(endpoint, folder)
            aws(*CREATE_TABLE)
            aws("enable-kinesis-streaming-destination", *ON_TABLE, *ARN)
            self.await_status(aws, "ACTIVE")
            # Debian's command line is older than the operation; then it ends without an answer.
            update = ["update-kinesis-streaming-destination"]
            knows_update = bool(aws.outcome([*update, *ELSEWHERE, *ARN, *PRECISION]).code)
            if knows_update:
                aws(*update, *ON_TABLE, *ARN, *PRECISION)
            aws("put-item", *ON_TABLE, "--item", key("a", 1))
            aws("disable-kinesis-streaming-destination", *ON_TABLE, *ARN)
            self.await_status(aws, "DISABLED")
            (_, record), = kinesis.records()
            self.assertEqual(record["tableName"], TABLE)
            for command, further in COMMANDS.items():
                if [command] == update and not knows_update:
                    continue
                refused = aws.outcome([command, *ELSEWHERE, *further])
                self.assertEqual(refused.code, "ResourceNotFoundException", command)
            counts = outcomes(endpoint)
            for operation in KINESIS_OPERATIONS:
                if operation == "UpdateKinesisStreamingDestination" and not knows_update:
                    continue
                self.assertIn("ok", counts[operation], operation)
                self.assertGreater(len(counts[operation]), 1, operation)


if __name__ == "__main__":
    unittest.main()
