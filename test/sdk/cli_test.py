"""The AWS command line drives every operation, good and bad. Every call is a process of its own, so
those that do not depend on each other run side by side."""

import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
import time
import unittest

from boto3_support import (ACCOUNT_OPERATIONS, ITEM_OPERATIONS, NEWER_OPERATIONS,
                           STATEMENT_OPERATIONS, STREAM_OPERATIONS, TABLE, TABLE_OPERATIONS, key, outcomes)
from server_process import ServerProcess

ARN = f"arn:aws:dynamodb:us-east-1:000000000000:table/{TABLE}"
NOWHERE = ARN.replace(TABLE, "nowhere")
IMPORTED = {
    "TableName": "imported", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                             {"AttributeName": "sk", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                  {"AttributeName": "sk", "KeyType": "RANGE"}]}
NO_BACKUP = NOWHERE + "/backup/01576616366715-b4e58d3a"
CALLS_AT_ONCE = (os.cpu_count() or 1) + 1

STREAM_COMMANDS = {"list-streams", "describe-stream", "get-shard-iterator", "get-records"}
ON_TABLE = ["--table-name", TABLE]
ELSEWHERE = ["--table-name", "nowhere"]
VALUE = ["--expression-attribute-values", {":v": {"S": "a"}}]
CREATE_TABLE = [
    "create-table", "--table-name", TABLE, "--billing-mode", "PAY_PER_REQUEST",
    "--attribute-definitions",
    "AttributeName=pk,AttributeType=S", "AttributeName=sk,AttributeType=N",
    "--key-schema", "AttributeName=pk,KeyType=HASH", "AttributeName=sk,KeyType=RANGE",
    "--stream-specification", "StreamEnabled=true,StreamViewType=KEYS_ONLY"]


def environment(folder, key_id="test", secret="test"):
    """Nothing of the machine's own configuration; parameters are the server's to check."""
    config = os.path.join(folder, "config")
    with open(config, "w", encoding="utf-8") as file:
        file.write("[default]\nregion = us-east-1\nparameter_validation = false\noutput = json\n")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    return {**inherited, "AWS_CONFIG_FILE": config, "AWS_ACCESS_KEY_ID": key_id,
            "AWS_SECRET_ACCESS_KEY": secret, "AWS_PAGER": "", "AWS_MAX_ATTEMPTS": "1",
            "AWS_EC2_METADATA_DISABLED": "true"}


class Refused(Exception):
    """What the program said about an error: its code and its message."""

    def __init__(self, said):
        super().__init__(said)
        found = re.search(r"An error occurred \((\w+)\) when calling the \w+ operation"
                          r"(?: \(reached max retries: \d+\))?(?:: (.*))?", said)
        self.code, self.message = found.groups(default="") if found else ("", said)


class CommandLine:
    def __init__(self, endpoint, folder, *options, **keys):
        self._options = ["--endpoint-url", endpoint, *options]
        self._environment = environment(folder, **keys)

    def __call__(self, *words, service="dynamodb"):
        words = [word if isinstance(word, str) else json.dumps(word) for word in words]
        done = subprocess.run(["aws", service, *words, *self._options], env=self._environment,
                              capture_output=True, text=True, timeout=60, check=False)
        if done.returncode != 0:
            raise Refused(done.stderr.strip())
        return json.loads(done.stdout) if done.stdout.strip() else {}

    def outcome(self, words):
        """The answer, or how it was refused."""
        service = "dynamodbstreams" if words[0] in STREAM_COMMANDS else "dynamodb"
        try:
            return self(*words, service=service)
        except Refused as refused:
            return refused


# What must go well on a table with the item (a, 1), with a word that the answer must contain.
GOOD = [
    (["put-item", *ON_TABLE, "--item", key("put", 1), "--return-consumed-capacity", "TOTAL"],
     '"CapacityUnits": 1.0'),
    (["get-item", *ON_TABLE, "--key", key("a", 1), "--consistent-read"], "grüße"),
    (["update-item", *ON_TABLE, "--key", key("update", 1), "--update-expression", "ADD n :n",
      "--expression-attribute-values", {":n": {"N": "7"}}, "--return-values", "ALL_NEW"], '"7"'),
    (["delete-item", *ON_TABLE, "--key", key("none", 1)], "{}"),
    (["query", *ON_TABLE, "--key-condition-expression", "pk = :v", *VALUE], '"Count": 1'),
    (["scan", *ON_TABLE, "--filter-expression", "pk = :v", *VALUE], '"Count": 1'),
    (["batch-write-item", "--request-items", {TABLE: [{"PutRequest": {"Item": key("batch", 1)}}]}],
     '"UnprocessedItems": {}'),
    (["batch-get-item", "--request-items", {TABLE: {"Keys": [key("a", 1)]}}], "grüße"),
    (["transact-write-items", "--transact-items",
      [{"Put": {"TableName": TABLE, "Item": key("transaction", 1)}}]], "{}"),
    (["transact-get-items", "--transact-items",
      [{"Get": {"TableName": TABLE, "Key": key("a", 1)}}]], "grüße"),
    (["execute-statement", "--statement", f"SELECT * FROM {TABLE} WHERE pk = ?", "--parameters",
      [{"S": "a"}]], "grüße"),
    (["batch-execute-statement", "--statements",
      [{"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'a' AND sk = 1"}]], "grüße"),
    (["execute-transaction", "--transact-statements",
      [{"Statement": f"INSERT INTO {TABLE} VALUE {{'pk': 'statement', 'sk': 1}}"}]],
     '"Responses": []'),
    (["describe-table", *ON_TABLE], '"TableStatus": "ACTIVE"'),
    (["list-tables"], TABLE),
    (["update-time-to-live", *ON_TABLE, "--time-to-live-specification",
      "Enabled=true,AttributeName=expires"], "expires"),
    (["describe-time-to-live", *ON_TABLE], "TimeToLiveStatus"),
    (["tag-resource", "--resource-arn", ARN, "--tags", "Key=team,Value=a"], "{}"),
    (["untag-resource", "--resource-arn", ARN, "--tag-keys", "nothing"], "{}"),
    (["list-tags-of-resource", "--resource-arn", ARN], "Tags"),
    (["update-continuous-backups", *ON_TABLE, "--point-in-time-recovery-specification",
      "PointInTimeRecoveryEnabled=true"], "EarliestRestorableDateTime"),
    (["update-continuous-backups", *ON_TABLE, "--point-in-time-recovery-specification",
      "PointInTimeRecoveryEnabled=false"], '"PointInTimeRecoveryStatus": "DISABLED"'),
    (["describe-continuous-backups", *ON_TABLE], "ContinuousBackupsStatus"),
    (["describe-limits"], "AccountMaxReadCapacityUnits"),
    (["describe-endpoints"], "CachePeriodInMinutes"),
    (["list-streams", *ON_TABLE], ARN + "/stream/"),
]

# What must be refused, with the error's code and words of its message.
BAD = [
    (["put-item", *ON_TABLE, "--item", {"pk": {"S": "a"}}],
     "ValidationException", "Missing the key sk in the item"),
    (["put-item", *ON_TABLE, "--item", key("a", 1), "--condition-expression",
      "attribute_not_exists(pk)"],
     "ConditionalCheckFailedException", "The conditional request failed"),
    (["get-item", *ON_TABLE, "--key", {"pk": {"S": "a"}}],
     "ValidationException", "The provided key element does not match the schema"),
    (["update-item", *ON_TABLE, "--key", key("a", 1), "--update-expression", "SET pk = :v", *VALUE],
     "ValidationException", "Cannot update attribute pk"),
    (["delete-item", *ELSEWHERE, "--key", key("a", 1)],
     "ResourceNotFoundException", "Requested resource not found"),
    (["query", *ON_TABLE, "--key-condition-expression", "sk = :v", *VALUE],
     "ValidationException", "Query condition missed key schema element: pk"),
    (["scan", *ON_TABLE, "--filter-expression", "pk ="],
     "ValidationException", "Invalid FilterExpression"),
    (["batch-write-item", "--request-items",
      {TABLE: [{"DeleteRequest": {"Key": key("b", 1)}}] * 2}],
     "ValidationException", "Provided list of item keys contains duplicates"),
    (["batch-get-item", "--request-items", {"nowhere": {"Keys": [key("a", 1)]}}],
     "ResourceNotFoundException", ""),
    (["transact-write-items", "--transact-items",
      [{"ConditionCheck": {"TableName": TABLE, "Key": key("none", 1),
                           "ConditionExpression": "attribute_exists(pk)"}}]],
     "TransactionCanceledException", "[ConditionalCheckFailed]"),
    (["transact-get-items", "--transact-items",
      [{"Get": {"TableName": "nowhere", "Key": key("a", 1)}}]],
     "ResourceNotFoundException", ""),
    (["execute-statement", "--statement", f"INSERT INTO {TABLE} VALUE {{'pk': 'a', 'sk': 1}}"],
     "DuplicateItemException", "Duplicate primary key exists in table"),
    (["batch-execute-statement", "--statements",
      [{"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'a' AND sk = 1"}] * 2],
     "ValidationException", "Provided list of item keys contains duplicates"),
    (["execute-transaction", "--transact-statements",
      [{"Statement": f"UPDATE {TABLE} SET n = 1 WHERE pk = 'none' AND sk = 1"}]],
     "TransactionCanceledException", "[ConditionalCheckFailed]"),
    (["create-table", *CREATE_TABLE[1:]], "ResourceInUseException", "Table already exists"),
    (["describe-table", *ELSEWHERE], "ResourceNotFoundException", "Table: nowhere not found"),
    (["list-tables", "--no-paginate", "--limit", "0"], "ValidationException", "'limit'"),
    (["update-table", *ELSEWHERE, "--billing-mode", "PAY_PER_REQUEST"],
     "ResourceNotFoundException", ""),
    (["delete-table", *ELSEWHERE], "ResourceNotFoundException", ""),
    (["update-time-to-live", *ELSEWHERE, "--time-to-live-specification",
      "Enabled=true,AttributeName=expires"], "ResourceNotFoundException", ""),
    (["describe-time-to-live", *ELSEWHERE], "ResourceNotFoundException", ""),
    (["tag-resource", "--resource-arn", NOWHERE, "--tags", "Key=a,Value=b"],
     "ResourceNotFoundException", ""),
    (["untag-resource", "--resource-arn", NOWHERE, "--tag-keys", "a"],
     "ResourceNotFoundException", ""),
    (["list-tags-of-resource", "--resource-arn", NOWHERE], "ResourceNotFoundException", ""),
    (["describe-continuous-backups", *ELSEWHERE],
     "TableNotFoundException", "Table not found: nowhere"),
    (["update-continuous-backups", *ELSEWHERE, "--point-in-time-recovery-specification",
      "PointInTimeRecoveryEnabled=true"],
     "TableNotFoundException", "Table not found: nowhere"),
    (["list-streams", "--limit", "0"], "ValidationException", "'limit'"),
    (["describe-stream", "--stream-arn", NOWHERE + "/stream/2026-01-01T00:00:00.000"],
     "ResourceNotFoundException", ""),
    (["get-shard-iterator", "--stream-arn", NOWHERE + "/stream/2026-01-01T00:00:00.000",
      "--shard-id", "shardId-00000000000000000000-00000000", "--shard-iterator-type", "LATEST"],
     "ResourceNotFoundException", ""),
    (["get-records", "--shard-iterator", "nonsense"], "ValidationException", ""),
    (["create-backup", *ELSEWHERE, "--backup-name", "daily"],
     "TableNotFoundException", "Table not found: nowhere"),
    (["list-backups", "--page-size", "0"], "ValidationException", "'limit'"),
    (["describe-backup", "--backup-arn", NO_BACKUP], "BackupNotFoundException", "Backup not found"),
    (["delete-backup", "--backup-arn", NO_BACKUP], "BackupNotFoundException", "Backup not found"),
    (["export-table-to-point-in-time", "--table-arn", NOWHERE, "--s3-bucket", "bucket"],
     "TableNotFoundException", "Table not found"),
    (["describe-export", "--export-arn", NO_BACKUP.replace("backup", "export")],
     "ExportNotFoundException", "Export not found"),
    (["list-exports", "--max-results", "26"], "ValidationException", "'maxResults'"),
    (["import-table", "--s3-bucket-source", "S3Bucket=bucket", "--input-format", "ION",
      "--table-creation-parameters", IMPORTED], "ValidationException", "ION is not supported"),
    (["describe-import", "--import-arn", NO_BACKUP.replace("backup", "import")],
     "ImportNotFoundException", "Import not found"),
    (["list-imports", "--page-size", "26"], "ValidationException", "'pageSize'"),
    (["restore-table-from-backup", "--backup-arn", NO_BACKUP, "--target-table-name", "never"],
     "BackupNotFoundException", "Backup not found"),
    (["restore-table-to-point-in-time", "--source-table-name", "nowhere", "--target-table-name",
      "never", "--use-latest-restorable-time"], "TableNotFoundException", "Table not found: nowhere"),
    (["list-global-tables"], "UnknownOperationException", ""),
]


def side_by_side(function, cases):
    with concurrent.futures.ThreadPoolExecutor(CALLS_AT_ONCE) as threads:
        return list(threads.map(function, cases))


class CommandLineTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.endpoint = cls.enterClassContext(ServerProcess("--memory"))
        cls.aws = CommandLine(cls.endpoint, folder)
        cls.aws(*CREATE_TABLE)
        cls.aws("wait", "table-exists", *ON_TABLE)
        cls.aws("put-item", *ON_TABLE, "--item", {**key("a", 1), "text": {"S": "grüße"}})

    def test_1_what_is_right_goes_well(self):
        answers = side_by_side(self.aws.outcome, [words for words, _ in GOOD])
        for (words, expected), answer in zip(GOOD, answers):
            with self.subTest(words[0]):
                self.assertNotIsInstance(answer, Refused, answer)
                self.assertIn(expected, json.dumps(answer, ensure_ascii=False))

    def test_2_what_is_wrong_is_refused_in_the_services_words(self):
        answers = side_by_side(self.aws.outcome, [words for words, *_ in BAD])
        for (words, code, message), answer in zip(BAD, answers):
            with self.subTest(words[0]):
                self.assertIsInstance(answer, Refused)
                self.assertEqual(answer.code, code, answer)
                self.assertIn(message, answer.message)

    def test_3_a_table_is_changed_and_goes(self):
        self.aws("create-table", "--table-name", "short_lived", *CREATE_TABLE[3:])
        changed = self.aws(
            "update-table", "--table-name", "short_lived", "--billing-mode", "PROVISIONED",
            "--provisioned-throughput", "ReadCapacityUnits=3,WriteCapacityUnits=4")
        self.assertEqual(changed["TableDescription"]["TableName"], "short_lived")
        self.aws("delete-table", "--table-name", "short_lived")
        self.aws("wait", "table-not-exists", "--table-name", "short_lived")

    def test_3_a_table_is_restored_from_a_backup_and_to_a_moment(self):
        named = ["--table-name", "kept"]
        self.aws("create-table", *named, *CREATE_TABLE[3:])
        self.aws("put-item", *named, "--item", key("a", 1))
        self.aws("update-continuous-backups", *named, "--point-in-time-recovery-specification",
                 "PointInTimeRecoveryEnabled=true")
        arn = self.aws("create-backup", *named,
                       "--backup-name", "daily")["BackupDetails"]["BackupArn"]
        self.aws("put-item", *named, "--item", key("a", 2))
        listed = self.aws("list-backups", *named)["BackupSummaries"]
        self.assertEqual([backup["BackupArn"] for backup in listed], [arn])
        described = self.aws("describe-backup", "--backup-arn", arn)["BackupDescription"]
        self.assertEqual(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        self.aws("restore-table-from-backup", "--backup-arn", arn, "--target-table-name", "then")
        self.aws("restore-table-to-point-in-time", "--source-table-name", "kept",
                 "--target-table-name", "now", "--use-latest-restorable-time")
        for target, count in (("then", 1), ("now", 2)):
            self.aws("wait", "table-exists", "--table-name", target)
            self.assertEqual(self.aws("scan", "--table-name", target)["Count"], count)
        deleted = self.aws("delete-backup", "--backup-arn", arn)["BackupDescription"]
        self.assertEqual(deleted["BackupDetails"]["BackupStatus"], "DELETED")

    def test_3_a_table_is_exported_and_imported(self):
        def ended(kind, member, arn):
            for _ in range(60):
                described = self.aws(f"describe-{kind}", f"--{kind}-arn", arn)[member]
                if described[f"{kind.capitalize()}Status"] != "IN_PROGRESS":
                    return described
                time.sleep(0.2)
            raise AssertionError("it never ends")

        named = ["--table-name", "moved"]
        self.aws("create-table", *named, *CREATE_TABLE[3:])
        self.aws("put-item", *named, "--item", key("a", 1))
        self.aws("update-continuous-backups", *named, "--point-in-time-recovery-specification",
                 "PointInTimeRecoveryEnabled=true")
        begun = self.aws("export-table-to-point-in-time", "--table-arn",
                         NOWHERE.replace("nowhere", "moved"), "--s3-bucket", "bucket")
        done = ended("export", "ExportDescription", begun["ExportDescription"]["ExportArn"])
        self.assertEqual((done["ExportStatus"], done["ItemCount"]), ("COMPLETED", 1))
        listed = self.aws("list-exports")["ExportSummaries"]
        self.assertIn(done["ExportArn"], [each["ExportArn"] for each in listed])
        begun = self.aws(
            "import-table", "--s3-bucket-source",
            "S3Bucket=bucket,S3KeyPrefix=" + done["ExportManifest"].rsplit("/", 1)[0] + "/data/",
            "--input-format", "DYNAMODB_JSON", "--input-compression-type", "GZIP",
            "--table-creation-parameters", json.dumps(IMPORTED))
        loaded = ended("import", "ImportTableDescription",
                       begun["ImportTableDescription"]["ImportArn"])
        self.assertEqual((loaded["ImportStatus"], loaded["ImportedItemCount"]), ("COMPLETED", 1))
        listed = self.aws("list-imports")["ImportSummaryList"]
        self.assertEqual([each["ImportArn"] for each in listed], [loaded["ImportArn"]])

    def test_4_a_stream_is_read(self):
        read = lambda *words: self.aws(*words, service="dynamodbstreams")
        arn = read("list-streams", *ON_TABLE)["Streams"][0]["StreamArn"]
        shards = read("describe-stream", "--stream-arn", arn)["StreamDescription"]["Shards"]
        iterator = read(
            "get-shard-iterator", "--stream-arn", arn, "--shard-id", shards[0]["ShardId"],
            "--shard-iterator-type", "TRIM_HORIZON")["ShardIterator"]
        records = read("get-records", "--shard-iterator", iterator)["Records"]
        self.assertEqual(records[0]["eventName"], "INSERT")
        self.assertEqual(records[0]["dynamodb"]["Keys"], key("a", 1))

    def test_5_pages_are_joined_and_continued(self):
        puts = [{"PutRequest": {"Item": key("page", number)}} for number in range(10)]
        self.aws("batch-write-item", "--request-items", {TABLE: puts})
        query = ["query", *ON_TABLE, "--key-condition-expression", "pk = :p",
                 "--expression-attribute-values", {":p": {"S": "page"}}, "--page-size", "3"]
        first = self.aws(*query, "--max-items", "7")
        rest = self.aws(*query, "--starting-token", first["NextToken"])
        numbers = [int(item["sk"]["N"]) for item in first["Items"] + rest["Items"]]
        self.assertEqual(numbers, list(range(10)))

    def test_5_policies_are_put_and_keys_counted(self):
        arn = ["--resource-arn", ARN]
        none = self.aws.outcome(["get-resource-policy", *arn])
        if not none.code:
            self.skipTest("this command line does not know policies of tables")
        self.assertEqual(none.code, "PolicyNotFoundException")
        policy = {"Statement": [{"Effect": "Deny", "Principal": {"AWS": "111122223333"},
                                 "Action": "dynamodb:*", "Resource": ARN}]}
        written = self.aws("put-resource-policy", *arn, "--policy", policy)
        self.assertEqual(json.loads(self.aws("get-resource-policy", *arn)["Policy"]), policy)
        refused = self.aws.outcome(["put-resource-policy", *arn, "--policy", "{}"])
        self.assertEqual(refused.code, "ValidationException")
        self.assertIn("a policy is a JSON object with a Statement", refused.message)
        deleted = self.aws("delete-resource-policy", *arn)
        self.assertEqual(deleted["RevisionId"], written["RevisionId"])
        elsewhere = self.aws.outcome(["delete-resource-policy", "--resource-arn", NOWHERE])
        self.assertEqual(elsewhere.code, "ResourceNotFoundException")
        switched = self.aws("update-contributor-insights", *ON_TABLE,
                            "--contributor-insights-action", "ENABLE")
        self.assertEqual(switched["ContributorInsightsStatus"], "ENABLING")
        listed = self.aws("list-contributor-insights")["ContributorInsightsSummaries"]
        self.assertEqual([each["TableName"] for each in listed], [TABLE])
        described = self.aws("describe-contributor-insights", *ON_TABLE)
        self.assertEqual(described["ContributorInsightsStatus"], "ENABLED")
        for words in (["update-contributor-insights", *ELSEWHERE,
                       "--contributor-insights-action", "ENABLE"],
                      ["describe-contributor-insights", *ELSEWHERE],
                      ["list-contributor-insights", *ELSEWHERE]):
            self.assertEqual(self.aws.outcome(words).code, "ResourceNotFoundException")
        counts = outcomes(self.endpoint)
        for operation in NEWER_OPERATIONS:
            self.assertGreater(len(counts.get(operation, {})), 1, operation)

    def test_6_every_operation_was_driven_both_ways(self):
        counts = outcomes(self.endpoint)
        for operation in (ITEM_OPERATIONS | STATEMENT_OPERATIONS | TABLE_OPERATIONS
                          | STREAM_OPERATIONS):
            self.assertIn("ok", counts.get(operation, {}), operation)
            self.assertGreater(len(counts[operation]), 1, operation)
        self.assertLessEqual(ACCOUNT_OPERATIONS, set(counts))


class SignedCommandLineTest(unittest.TestCase):
    def test_its_signatures_are_verified_over_tls(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("credentials", "cert.pem", "key.pem")]
            keys = {"key_id": "AKIDOWNER", "secret": "s3cret/+="}
            with open(paths[0], "w", encoding="utf-8") as file:
                file.write("[owner]\naws_access_key_id = {key_id}\n"
                           "aws_secret_access_key = {secret}\n".format(**keys))
            os.chmod(paths[0], 0o600)
            with ServerProcess("--memory", "--credentials", paths[0], "--tls-self-signed",
                               "--tls-cert", paths[1], "--tls-key", paths[2]) as endpoint:
                trust = ("--ca-bundle", paths[1])
                CommandLine(endpoint, folder, *trust, **keys)(*CREATE_TABLE)
                guessing = CommandLine(endpoint, folder, *trust, **{**keys, "secret": "guessed"})
                refused = guessing.outcome(["list-tables"])
                self.assertEqual(refused.code, "InvalidSignatureException", refused)
                wary = CommandLine(endpoint, folder, **keys)
                self.assertIn("SSL validation failed", wary.outcome(["list-tables"]).message)


if __name__ == "__main__":
    unittest.main()
