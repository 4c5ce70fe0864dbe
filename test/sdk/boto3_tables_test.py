"""The operations on tables, as boto3's client sees them: their life, waiters, paginators, time to
live, tags, streams, and what describes the account."""

import time
import unittest

from boto3_support import (ACCOUNT_OPERATIONS, STREAM_OPERATIONS, TABLE, TABLE_OPERATIONS,
                           ServerTest, attributes, client, key, key_schema, outcomes, post)


def simple(name, **further):
    return {
        "TableName": name, "BillingMode": "PAY_PER_REQUEST", "KeySchema": key_schema("id"),
        "AttributeDefinitions": attributes(id="S"), **further
    }


class TablesTest(ServerTest):
    def describe(self, name):
        return self.dynamodb.describe_table(TableName=name)["Table"]

    def test_describe_table_says_what_create_table_was_told(self):
        table = self.describe(TABLE)
        self.assertEqual(table["TableStatus"], "ACTIVE")
        self.assertEqual(table["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST")
        self.assertEqual(table["KeySchema"], key_schema("pk", "sk"))
        self.assertEqual(table["GlobalSecondaryIndexes"][0]["IndexStatus"], "ACTIVE")
        self.assertEqual(table["StreamSpecification"]["StreamViewType"], "NEW_AND_OLD_IMAGES")
        with self.refused("ResourceNotFoundException",
                          "Requested resource not found: Table: nowhere not found"):
            self.describe("nowhere")

    def test_create_table_refuses_what_is_no_table(self):
        with self.refused("ResourceInUseException", f"Table already exists: {TABLE}"):
            self.dynamodb.create_table(**simple(TABLE))
        for arguments, words in [
            (simple("wrong", BillingMode="PROVISIONED"), "must both be specified"),
            (simple("wrong", AttributeDefinitions=attributes(other="S")),
             "Some index key attributes are not defined in AttributeDefinitions"),
            (simple("wrong", AttributeDefinitions=attributes(id="X")), "'X' at"), (simple("a"), "3")
        ]:
            with self.subTest(words), self.refused("ValidationException", words):
                self.dynamodb.create_table(**arguments)

    def test_list_tables_pages_in_order(self):
        names = [f"page_{number:02}" for number in range(12)]
        for name in names:
            self.dynamodb.create_table(**simple(name))
            self.addCleanup(self.dynamodb.delete_table, TableName=name)
        pages = self.dynamodb.get_paginator("list_tables").paginate(
            PaginationConfig={"PageSize": 5})
        listed = [name for page in pages for name in page["TableNames"]]
        self.assertEqual([name for name in listed if name.startswith("page_")], names)
        with self.refused("ValidationException", "'limit' failed to satisfy constraint"):
            self.dynamodb.list_tables(Limit=101)

    def test_a_table_lives_is_changed_and_goes(self):
        waiting = {"TableName": "short_lived", "WaiterConfig": {"Delay": 1, "MaxAttempts": 10}}
        created = self.dynamodb.create_table(
            **simple("short_lived",
                     BillingMode="PROVISIONED",
                     ProvisionedThroughput={"ReadCapacityUnits": 5, "WriteCapacityUnits": 5}))
        self.assertEqual(created["TableDescription"]["TableStatus"], "CREATING")
        self.dynamodb.get_waiter("table_exists").wait(**waiting)
        self.dynamodb.update_table(
            TableName="short_lived",
            ProvisionedThroughput={"ReadCapacityUnits": 7, "WriteCapacityUnits": 5})
        self.assertEqual(
            self.describe("short_lived")["ProvisionedThroughput"]["ReadCapacityUnits"], 7)
        with self.refused("ValidationException"):
            self.dynamodb.update_table(TableName="short_lived")
        with self.refused("ResourceNotFoundException"):
            self.dynamodb.update_table(TableName="nowhere", BillingMode="PAY_PER_REQUEST")
        deleted = self.dynamodb.delete_table(TableName="short_lived")
        self.assertEqual(deleted["TableDescription"]["TableStatus"], "DELETING")
        self.dynamodb.get_waiter("table_not_exists").wait(**waiting)
        with self.refused("ResourceNotFoundException"):
            self.dynamodb.delete_table(TableName="short_lived")

    def test_an_index_is_built_from_what_is_there(self):
        self.dynamodb.create_table(**simple("grows"))
        self.addCleanup(self.dynamodb.delete_table, TableName="grows")
        for number in range(10):
            self.dynamodb.put_item(TableName="grows",
                                   Item={
                                       "id": {"S": str(number)},
                                       "kind": {"S": "even" if number % 2 == 0 else "odd"}
                                   })
        self.dynamodb.update_table(TableName="grows",
                                   AttributeDefinitions=attributes(kind="S"),
                                   GlobalSecondaryIndexUpdates=[{
                                       "Create": {
                                           "IndexName": "by_kind", "KeySchema": key_schema("kind"),
                                           "Projection": {"ProjectionType": "KEYS_ONLY"}
                                       }
                                   }])
        for _ in range(100):
            if self.describe("grows")["GlobalSecondaryIndexes"][0]["IndexStatus"] == "ACTIVE":
                break
        answer = self.dynamodb.query(TableName="grows",
                                     IndexName="by_kind",
                                     KeyConditionExpression="kind = :k",
                                     ExpressionAttributeValues={":k": {"S": "odd"}})
        self.assertEqual(sorted(item["id"]["S"] for item in answer["Items"]), list("13579"))

    def test_deletion_protection_protects(self):
        # As plain requests: Debian's boto3 is older than the parameter.
        guarded = simple("guarded", DeletionProtectionEnabled=True)
        self.assertEqual(self.plain("CreateTable", guarded)[0], 200)
        with self.refused("ValidationException", "protect"):
            self.dynamodb.delete_table(TableName="guarded")
        released = {"TableName": "guarded", "DeletionProtectionEnabled": False}
        self.assertEqual(self.plain("UpdateTable", released)[0], 200)
        self.dynamodb.delete_table(TableName="guarded")

    def test_time_to_live_is_switched_on_once(self):
        wanted = {"Enabled": True, "AttributeName": "expires"}
        answer = self.dynamodb.update_time_to_live(TableName=TABLE, TimeToLiveSpecification=wanted)
        self.assertEqual(answer["TimeToLiveSpecification"], wanted)
        described = self.dynamodb.describe_time_to_live(TableName=TABLE)["TimeToLiveDescription"]
        self.assertEqual(described["AttributeName"], "expires")
        with self.refused("ValidationException", "TimeToLive is already enabled"):
            self.dynamodb.update_time_to_live(TableName=TABLE, TimeToLiveSpecification=wanted)
        with self.refused("ResourceNotFoundException"):
            self.dynamodb.describe_time_to_live(TableName="nowhere")

    def test_tags_are_set_listed_and_taken_away(self):
        arn = self.describe(TABLE)["TableArn"]
        tags = [{"Key": f"key{number:02}", "Value": str(number)} for number in range(15)]
        self.dynamodb.tag_resource(ResourceArn=arn, Tags=tags)
        self.dynamodb.untag_resource(ResourceArn=arn, TagKeys=["key03"])
        pages = self.dynamodb.get_paginator("list_tags_of_resource").paginate(ResourceArn=arn)
        listed = [tag for page in pages for tag in page["Tags"]]
        self.assertEqual(sorted(listed, key=lambda tag: tag["Key"]), tags[:3] + tags[4:])
        missing = arn.replace(TABLE, "nowhere")
        for call, further in [(self.dynamodb.tag_resource, {"Tags": tags}),
                              (self.dynamodb.untag_resource, {"TagKeys": ["a"]}),
                              (self.dynamodb.list_tags_of_resource, {})]:
            with self.refused("ResourceNotFoundException"):
                call(ResourceArn=missing, **further)

    def test_the_account_describes_itself(self):
        limits = self.dynamodb.describe_limits()
        self.assertGreaterEqual(limits["AccountMaxReadCapacityUnits"],
                                limits["TableMaxReadCapacityUnits"])
        self.assertEqual(len(self.dynamodb.describe_endpoints()["Endpoints"]), 1)
        backups = self.dynamodb.describe_continuous_backups(TableName=TABLE)
        self.assertEqual(backups["ContinuousBackupsDescription"], {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"}})
        with self.refused("TableNotFoundException", "Table not found: nowhere"):
            self.dynamodb.describe_continuous_backups(TableName="nowhere")
        self.assertLessEqual(ACCOUNT_OPERATIONS, set(outcomes(self.endpoint)))

    def test_recovery_is_switched_on_and_off(self):
        def switch(on, table=TABLE):
            return self.dynamodb.update_continuous_backups(
                TableName=table,
                PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": on})
        self.assertEqual(switch(False)["ContinuousBackupsDescription"]["ContinuousBackupsStatus"],
                         "ENABLED")
        recovery = switch(True)["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery["PointInTimeRecoveryStatus"], "ENABLED")
        self.assertLessEqual(recovery["EarliestRestorableDateTime"],
                             recovery["LatestRestorableDateTime"])
        recovery = switch(False)["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.assertEqual(recovery, {"PointInTimeRecoveryStatus": "DISABLED"})
        # As a plain request: Debian's boto3 is older than the parameter.
        status, answer = self.plain("UpdateContinuousBackups", {
            "TableName": TABLE, "PointInTimeRecoverySpecification": {
                "PointInTimeRecoveryEnabled": False, "RecoveryPeriodInDays": 36}})
        self.assertEqual(status, 400)
        self.assertIn("less than or equal to 35", answer["message"])
        with self.refused("TableNotFoundException", "Table not found: nowhere"):
            switch(False, table="nowhere")

    def test_backups_are_made_and_restored(self):
        self.dynamodb.create_table(**simple("kept"))
        for number in range(30):
            self.dynamodb.put_item(TableName="kept", Item={"id": {"S": str(number)}})
        arn = self.dynamodb.create_backup(TableName="kept",
                                          BackupName="daily")["BackupDetails"]["BackupArn"]
        self.dynamodb.delete_item(TableName="kept", Key={"id": {"S": "3"}})
        described = self.dynamodb.describe_backup(BackupArn=arn)["BackupDescription"]
        self.assertEqual(described["BackupDetails"]["BackupStatus"], "AVAILABLE")
        self.assertEqual(described["SourceTableDetails"]["TableName"], "kept")
        listed = [backup for page in self.dynamodb.get_paginator("list_backups").paginate()
                  for backup in page["BackupSummaries"]]
        self.assertIn(arn, [backup["BackupArn"] for backup in listed])
        answer = self.dynamodb.restore_table_from_backup(TargetTableName="kept2", BackupArn=arn)
        self.assertTrue(answer["TableDescription"]["RestoreSummary"]["RestoreInProgress"])
        wait = {"Delay": 1, "MaxAttempts": 60}
        self.dynamodb.get_waiter("table_exists").wait(TableName="kept2", WaiterConfig=wait)
        self.assertEqual(self.dynamodb.scan(TableName="kept2")["Count"], 30)
        self.dynamodb.delete_backup(BackupArn=arn)
        for call in (self.dynamodb.describe_backup, self.dynamodb.delete_backup):
            with self.refused("BackupNotFoundException", "Backup not found: " + arn):
                call(BackupArn=arn)
        with self.refused("BackupNotFoundException"):
            self.dynamodb.restore_table_from_backup(TargetTableName="kept3", BackupArn=arn)
        with self.refused("TableNotFoundException", "Table not found: nowhere"):
            self.dynamodb.create_backup(TableName="nowhere", BackupName="daily")
        with self.refused("ValidationException", "'limit'"):
            self.dynamodb.list_backups(Limit=0)

    def test_a_table_is_restored_to_a_moment(self):
        self.dynamodb.create_table(**simple("moments"))

        def restore(target, **further):
            return self.dynamodb.restore_table_to_point_in_time(
                SourceTableName="moments", TargetTableName=target, **further)

        with self.refused("PointInTimeRecoveryUnavailableException", "'moments'"):
            restore("then", UseLatestRestorableTime=True)
        self.dynamodb.put_item(TableName="moments", Item={"id": {"S": "before"}})
        described = self.dynamodb.update_continuous_backups(
            TableName="moments",
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        recovery = described["ContinuousBackupsDescription"]["PointInTimeRecoveryDescription"]
        self.dynamodb.put_item(TableName="moments", Item={"id": {"S": "after"}})
        restore("first", RestoreDateTime=recovery["EarliestRestorableDateTime"])
        restore("last", UseLatestRestorableTime=True)
        wait = {"Delay": 1, "MaxAttempts": 60}
        for target, count in (("first", 1), ("last", 2)):
            self.dynamodb.get_waiter("table_exists").wait(TableName=target, WaiterConfig=wait)
            self.assertEqual(self.dynamodb.scan(TableName=target)["Count"], count)
        with self.refused("InvalidRestoreTimeException", "must be within"):
            restore("never", RestoreDateTime=1)
        with self.refused("TableAlreadyExistsException", "Table already exists: last"):
            restore("last", UseLatestRestorableTime=True)

    def ended(self, describe, member, **arn):
        """The description of an export or import, once it has ended."""
        for _ in range(600):
            described = describe(**arn)[member]
            status = described.get("ExportStatus", described.get("ImportStatus"))
            if status != "IN_PROGRESS":
                return described
            time.sleep(0.1)
        raise AssertionError("it never ends")

    def test_a_table_is_exported_and_imported(self):
        table = self.dynamodb.create_table(**simple("exported"))["TableDescription"]["TableArn"]
        for number in range(30):
            self.dynamodb.put_item(TableName="exported", Item={"id": {"S": str(number)}})

        def export(**further):
            return self.dynamodb.export_table_to_point_in_time(
                TableArn=table, S3Bucket="bucket", **further)["ExportDescription"]

        with self.refused("PointInTimeRecoveryUnavailableException", "'exported'"):
            export()
        self.dynamodb.update_continuous_backups(
            TableName="exported",
            PointInTimeRecoverySpecification={"PointInTimeRecoveryEnabled": True})
        begun = export(S3Prefix="all", ClientToken="once")
        self.assertEqual(export(S3Prefix="all", ClientToken="once")["ExportArn"],
                         begun["ExportArn"])
        with self.refused("ExportConflictException", "conflicting parameters"):
            export(ClientToken="once")
        with self.refused("InvalidExportTimeException", "Export Time is invalid"):
            export(ExportTime=1)
        with self.refused("ValidationException", "ION is not supported"):
            export(ExportFormat="ION")
        done = self.ended(self.dynamodb.describe_export, "ExportDescription",
                          ExportArn=begun["ExportArn"])
        self.assertEqual((done["ExportStatus"], done["ItemCount"]), ("COMPLETED", 30))
        listed = self.dynamodb.list_exports(TableArn=table)["ExportSummaries"]
        self.assertEqual([each["ExportArn"] for each in listed], [begun["ExportArn"]])
        with self.refused("ExportNotFoundException", "Export not found"):
            self.dynamodb.describe_export(ExportArn=begun["ExportArn"][:-8] + "00000000")
        with self.refused("ValidationException", "'maxResults'"):
            self.dynamodb.list_exports(MaxResults=26)

        def load(name, **further):
            return self.dynamodb.import_table(
                S3BucketSource={
                    "S3Bucket": "bucket",
                    "S3KeyPrefix": done["ExportManifest"].rsplit("/", 1)[0] + "/data/"},
                InputFormat="DYNAMODB_JSON", TableCreationParameters=simple(name),
                **{"InputCompressionType": "GZIP", **further})["ImportTableDescription"]

        begun = load("imported", ClientToken="once")
        with self.refused("ImportConflictException", "conflicting parameters"):
            load("imported2", ClientToken="once")
        loaded = self.ended(self.dynamodb.describe_import, "ImportTableDescription",
                            ImportArn=begun["ImportArn"])
        self.assertEqual((loaded["ImportStatus"], loaded["ImportedItemCount"]), ("COMPLETED", 30))
        self.assertEqual(self.dynamodb.scan(TableName="imported")["Count"], 30)
        with self.refused("ResourceInUseException", "Table already exists: imported"):
            load("imported")
        begun = load("plain", InputCompressionType="NONE")
        loaded = self.ended(self.dynamodb.describe_import, "ImportTableDescription",
                            ImportArn=begun["ImportArn"])
        self.assertEqual((loaded["ImportStatus"], loaded["FailureCode"]),
                         ("FAILED", "ItemValidationError"))
        self.assertEqual(loaded["ErrorCount"], 4)
        listed = self.dynamodb.list_imports(PageSize=1)
        self.assertEqual(listed["ImportSummaryList"][0]["ImportArn"], begun["ImportArn"])
        further = self.dynamodb.list_imports(PageSize=1, NextToken=listed["NextToken"])
        self.assertEqual(len(further["ImportSummaryList"]), 1)
        with self.refused("ImportNotFoundException", "Import not found"):
            self.dynamodb.describe_import(ImportArn=begun["ImportArn"][:-8] + "00000000")
        with self.refused("ValidationException", "'pageSize'"):
            self.dynamodb.list_imports(PageSize=0)
        # What this boto3 does not know yet.
        status, answer = self.plain("ExportTableToPointInTime", {
            "TableArn": table, "S3Bucket": "bucket", "ExportType": "INCREMENTAL_EXPORT",
            "IncrementalExportSpecification": {"ExportFromTime": 1}})
        self.assertEqual(status, 400)
        self.assertIn("cannot be less than the table creation time", answer["message"])

    def test_what_is_no_request_is_told_so(self):
        with self.refused("UnknownOperationException"):
            self.dynamodb.create_global_table(GlobalTableName=TABLE, ReplicationGroup=[])
        target = "DynamoDB_20120810.GetItem"
        for body in ["{", "[]", '{"TableName":7}', ""]:
            status, answer = post(self.endpoint, target, body)
            self.assertEqual(status, 400, body)
            self.assertIn("SerializationException", answer["__type"], body)

    def test_zz_every_operation_was_driven_both_ways(self):
        self.check_driven_both_ways(TABLE_OPERATIONS)


class StreamsTest(ServerTest):
    def setUp(self):
        self.streams = client(self.endpoint, "dynamodbstreams")
        self.arn = self.dynamodb.describe_table(TableName=TABLE)["Table"]["LatestStreamArn"]

    def iterator(self, kind, **further):
        shard = self.streams.describe_stream(StreamArn=self.arn)["StreamDescription"]["Shards"][0]
        return self.streams.get_shard_iterator(StreamArn=self.arn,
                                               ShardId=shard["ShardId"],
                                               ShardIteratorType=kind,
                                               **further)["ShardIterator"]

    def test_records_tell_every_change_in_order(self):
        latest = self.iterator("LATEST")
        self.dynamodb.put_item(TableName=TABLE, Item=key("a", 1))
        self.dynamodb.update_item(TableName=TABLE,
                                  Key=key("a", 1),
                                  UpdateExpression="SET n = :n",
                                  ExpressionAttributeValues={":n": {"N": "1"}})
        self.dynamodb.delete_item(TableName=TABLE, Key=key("a", 1))
        for iterator in (latest, self.iterator("TRIM_HORIZON")):
            records = self.streams.get_records(ShardIterator=iterator)["Records"]
            self.assertEqual([record["eventName"] for record in records],
                             ["INSERT", "MODIFY", "REMOVE"])
        self.assertEqual(records[1]["dynamodb"]["NewImage"]["n"], {"N": "1"})
        at = self.iterator("AT_SEQUENCE_NUMBER",
                           SequenceNumber=records[1]["dynamodb"]["SequenceNumber"])
        first, second = self.streams.get_records(ShardIterator=at)["Records"]
        self.assertEqual((first["eventID"], second["eventID"]),
                         (records[1]["eventID"], records[2]["eventID"]))
        with self.refused("ValidationException"):
            self.iterator("AT_SEQUENCE_NUMBER")
        with self.refused("ValidationException", "ShardIterator"):
            self.streams.get_records(ShardIterator="nonsense")

    def test_streams_are_listed_and_described(self):
        listed = self.streams.list_streams(TableName=TABLE)["Streams"]
        self.assertEqual([stream["StreamArn"] for stream in listed], [self.arn])
        with self.refused("ValidationException", "'limit' failed to satisfy constraint"):
            self.streams.list_streams(Limit=0)
        with self.refused("ResourceNotFoundException"):
            self.streams.describe_stream(StreamArn=self.arn.replace(TABLE, "nowhere"))

    def test_zz_every_operation_was_driven_both_ways(self):
        self.check_driven_both_ways(STREAM_OPERATIONS)


if __name__ == "__main__":
    unittest.main()
