"""Policies of tables and the counting of keys: through boto3's client where it is new enough, and in
any case as plain requests."""

import json
import subprocess
import unittest

from botocore.exceptions import ClientError

from boto3_support import NEWER_OPERATIONS, TABLE, ServerTest, key
from server_process import PROGRAM

ARN = f"arn:aws:dynamodb:us-east-1:000000000000:table/{TABLE}"
NOWHERE = ARN.replace(TABLE, "nowhere")
POLICY = json.dumps({
    "Version": "2012-10-17",
    "Statement": [{
        "Effect": "Allow", "Principal": {"AWS": "arn:aws:iam::000000000000:user/ann"},
        "Action": "dynamodb:GetItem", "Resource": ARN
    }]
})


class NewerOperations(ServerTest):
    def call(self, operation, method, **request):
        """Status and answer, by boto3 if it knows the operation."""
        if not hasattr(self.dynamodb, method):
            return self.plain(operation, request)
        try:
            return 200, getattr(self.dynamodb, method)(**request)
        except ClientError as error:
            return 400, {"__type": "#" + error.response["Error"]["Code"]}

    def check_refused(self, answer, name):
        status, body = answer
        self.assertEqual(status, 400, body)
        self.assertTrue(body["__type"].endswith("#" + name), body)

    def test_a_policy_is_put_read_and_deleted(self):
        get = lambda arn: self.call("GetResourcePolicy", "get_resource_policy", ResourceArn=arn)
        self.check_refused(get(ARN), "PolicyNotFoundException")
        put = lambda **further: self.call("PutResourcePolicy", "put_resource_policy",
                                          ResourceArn=ARN, Policy=POLICY, **further)
        status, written = put(ExpectedRevisionId="NO_POLICY")
        self.assertEqual(status, 200, written)
        self.assertEqual(get(ARN)[1]["Policy"], POLICY)
        self.assertEqual(get(ARN)[1]["RevisionId"], written["RevisionId"])
        self.check_refused(put(ExpectedRevisionId="NO_POLICY"), "PolicyNotFoundException")
        self.check_refused(self.call("PutResourcePolicy", "put_resource_policy", ResourceArn=ARN,
                                     Policy="{}"), "ValidationException")
        delete = lambda arn: self.call("DeleteResourcePolicy", "delete_resource_policy",
                                       ResourceArn=arn)
        self.assertEqual(delete(ARN)[1]["RevisionId"], written["RevisionId"])
        self.assertEqual(delete(ARN)[1]["RevisionId"], "")
        self.check_refused(delete(NOWHERE), "ResourceNotFoundException")

    def test_keys_are_counted_while_it_is_asked_for(self):
        switch = lambda table, action: self.call(
            "UpdateContributorInsights", "update_contributor_insights", TableName=table,
            ContributorInsightsAction=action)
        describe = lambda table: self.call(
            "DescribeContributorInsights", "describe_contributor_insights", TableName=table)
        self.assertEqual(describe(TABLE)[1]["ContributorInsightsStatus"], "DISABLED")
        self.assertEqual(switch(TABLE, "ENABLE")[1]["ContributorInsightsStatus"], "ENABLING")
        for _ in range(3):
            self.dynamodb.put_item(TableName=TABLE, Item=key("hot", 1))
        state = describe(TABLE)[1]
        self.assertEqual(state["ContributorInsightsStatus"], "ENABLED")
        self.assertEqual(len(state["ContributorInsightsRuleList"]), 4)
        _, plain = self.plain("DescribeContributorInsights", {"TableName": TABLE})
        first = plain["StatorCountedKeys"]["AccessedPartitions"][0]
        self.assertEqual(first, {"Key": {"pk": {"S": "hot"}}, "Count": 3, "CountErrorMax": 0})
        listed = self.call("ListContributorInsights", "list_contributor_insights")[1]
        self.assertEqual([each["TableName"] for each in listed["ContributorInsightsSummaries"]],
                         [TABLE])
        self.check_refused(self.call("ListContributorInsights", "list_contributor_insights",
                                     MaxResults=101), "ValidationException")
        self.check_refused(switch("nowhere", "ENABLE"), "ResourceNotFoundException")
        self.check_refused(switch(TABLE, "PERHAPS"), "ValidationException")
        self.check_refused(describe("nowhere"), "ResourceNotFoundException")
        self.assertEqual(switch(TABLE, "DISABLE")[1]["ContributorInsightsStatus"], "DISABLING")

    def test_zz_every_operation_was_driven_both_ways(self):
        self.check_driven_both_ways(NEWER_OPERATIONS)


class InsightsCommand(ServerTest):
    """`stator insights`, as a person meets it."""

    def insights(self, *words):
        """What it said, and what it ended with."""
        done = subprocess.run([PROGRAM, "insights", *words, "--data", self.endpoint],
                              capture_output=True, text=True, timeout=60, check=False)
        return done.returncode, done.stdout, done.stderr

    def said(self, *words):
        code, out, complaint = self.insights(*words)
        self.assertEqual((code, complaint), (0, ""), words)
        return out

    def test_the_most_used_keys_are_shown_while_they_are_counted(self):
        self.assertEqual(self.said(), "")
        code, out, complaint = self.insights(TABLE)
        self.assertEqual((code, out), (1, ""))
        self.assertIn("are not counted; --on begins it", complaint)
        self.said(TABLE, "--on")
        self.said(TABLE, "--index", "all_by_time", "--on")
        for count, name in ((3, "hot"), (1, "cold")):
            for _ in range(count):
                self.dynamodb.put_item(TableName=TABLE, Item={**key(name, 1), "at": {"S": name}})
        lines = self.said(TABLE).splitlines()
        self.assertRegex(lines[0], "^since .*, in capacity units$")
        self.assertEqual(lines[1], "most used partitions:")
        self.assertIn('{"pk":{"S":"hot"}}', lines[2])
        self.assertIn('{"pk":{"S":"cold"}}', lines[3])
        self.assertIn("most throttled items: none", lines)
        told = [json.loads(line) for line in self.said(TABLE, "--json").splitlines()]
        self.assertEqual([each["Key"] for each in told if each["Kind"] == "accessed_item"],
                         [key("hot", 1), key("cold", 1)])
        self.assertGreater(told[0]["Count"], told[1]["Count"])
        self.assertIn('{"at":{"S":"cold"}}', self.said(TABLE, "--index", "all_by_time"))
        self.assertEqual(self.said().splitlines(),
                         [f"{TABLE}  on", f"{TABLE}  index all_by_time  on"])
        self.said(TABLE, "--off")
        self.assertEqual(self.said().splitlines()[0], f"{TABLE}  off")

    def test_what_is_wrong_is_told(self):
        for words in ((TABLE + "s",), (TABLE, "--index", "nowhere"), (TABLE + "s", "--on")):
            code, out, complaint = self.insights(*words)
            self.assertEqual((code, out), (1, ""), words)
            self.assertIn("not found", complaint)
        for words in (("--on",), (TABLE, "--on", "--off"), ("--index", "by_time")):
            self.assertEqual(self.insights(*words)[0], 2, words)


if __name__ == "__main__":
    unittest.main()
