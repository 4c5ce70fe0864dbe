"""boto3's own signatures, verified by the server: in headers, in the query, over TLS; and what a
restart must not lose."""

import hashlib
import json
import pathlib
import tempfile
import unittest

from botocore.auth import SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from botocore.exceptions import SSLError

from boto3_support import (ACCOUNT_OPERATIONS, TABLE, ServerTest, client, key, make_table, post)
from server_process import ServerProcess

CREDENTIALS = """\
[owner]
aws_access_key_id = AKIDOWNER
aws_secret_access_key = the owner's secret

[guest]
aws_access_key_id = AKIDGUEST
aws_secret_access_key = g
aws_session_token = a session
stator_policy = guest.json

[tenant]
aws_access_key_id = AKIDTENANT
aws_secret_access_key = t
stator_policy = tenant.json
stator_tag_owner = ann
"""
TENANT_POLICY = {
    "Version": "2012-10-17", "Statement": [{
        "Effect": "Allow",
        "Action": ["dynamodb:*Item", "dynamodb:Query"],
        "Resource": "arn:aws:dynamodb:*:*:table/orders",
        "Condition": {"ForAllValues:StringEquals": {
            "dynamodb:LeadingKeys": ["${aws:PrincipalTag/owner}"]}}
    }]
}
POLICY = {
    "Version": "2012-10-17", "Statement": [{
        "Effect": "Allow", "Action": ["dynamodb:*Item", "dynamodb:Query"], "Resource": [
            "arn:aws:dynamodb:*:*:table/orders", "arn:aws:dynamodb:*:*:table/orders/index/*"
        ]
    }, {"Effect": "Deny", "Action": "dynamodb:DeleteItem", "Resource": "*"}]
}


class AccessTest(ServerTest):
    @classmethod
    def setUpClass(cls):
        folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        (folder / "guest.json").write_text(json.dumps(POLICY))
        (folder / "tenant.json").write_text(json.dumps(TENANT_POLICY))
        (folder / "credentials").write_text(CREDENTIALS)
        (folder / "credentials").chmod(0o600)
        cls.endpoint = cls.enterClassContext(
            ServerProcess("--memory", "--credentials", str(folder / "credentials")))
        make_table(cls.owner())

    @classmethod
    def owner(cls, secret="the owner's secret"):
        return client(cls.endpoint, key="AKIDOWNER", secret=secret)

    def guest(self, token="a session"):
        return client(self.endpoint, key="AKIDGUEST", secret="g", aws_session_token=token)

    def test_requests_signed_with_a_known_key_are_served(self):
        for dynamodb in (self.owner(), self.guest()):
            dynamodb.put_item(TableName=TABLE, Item=key("ä", 1))

    def test_other_signatures_are_refused_in_awss_words(self):
        with self.refused("InvalidSignatureException",
                          "The request signature we calculated does not match"):
            self.owner("guessed").list_tables()
        with self.refused("UnrecognizedClientException",
                          "The security token included in the request is invalid"):
            client(self.endpoint, key="AKIDNOBODY").list_tables()
        with self.refused("UnrecognizedClientException"):
            self.guest("another session").get_item(TableName=TABLE, Key=key("a", 1))
        status, answer = post(self.endpoint, "DynamoDB_20120810.ListTables", "{}")
        self.assertEqual((status, answer["__type"].partition("#")[2]),
                         (400, "MissingAuthenticationTokenException"))
        status, answer = post(self.endpoint, "DynamoDB_20120810.ListTables", "{}",
                              {"Authorization": "AWS4-HMAC-SHA256 Credential=AKIDOWNER"})
        self.assertEqual((status, answer["__type"].partition("#")[2]),
                         (400, "IncompleteSignatureException"))

    def test_a_policy_decides_what_a_key_may_do(self):
        guest = self.guest()
        guest.query(TableName=TABLE,
                    IndexName="all_by_time",
                    KeyConditionExpression="#at = :v",
                    ExpressionAttributeNames={"#at": "at"},
                    ExpressionAttributeValues={":v": {"S": "x"}})
        with self.refused("AccessDeniedException", "with an explicit deny"):
            guest.delete_item(TableName=TABLE, Key=key("a", 1))
        with self.refused(
                "AccessDeniedException", "is not authorized to perform: dynamodb:Scan on resource: "
                "arn:aws:dynamodb:us-east-1:000000000000:table/orders"):
            guest.scan(TableName=TABLE)
        with self.refused("AccessDeniedException"):
            guest.batch_write_item(
                RequestItems={
                    TABLE: [{"PutRequest": {"Item": key("a", 1)}}],
                    "other": [{"PutRequest": {"Item": key("a", 1)}}]
                })
        for call, operation in zip((guest.describe_limits, guest.describe_endpoints),
                                   sorted(ACCOUNT_OPERATIONS, reverse=True)):
            with self.refused("AccessDeniedException", f"dynamodb:{operation}"):
                call()

    def test_a_condition_keeps_a_key_in_its_partitions(self):
        tenant = client(self.endpoint, key="AKIDTENANT", secret="t")
        partition = next(iter(key("ann", 1)))
        for owner, allowed in (("ann", True), ("ben", False)):
            calls = [
                lambda: tenant.put_item(TableName=TABLE, Item=key(owner, 1)),
                lambda: tenant.get_item(TableName=TABLE, Key=key(owner, 1)),
                lambda: tenant.batch_get_item(
                    RequestItems={TABLE: {"Keys": [key("ann", 2), key(owner, 1)]}}),
                lambda: tenant.transact_write_items(
                    TransactItems=[{"Put": {"TableName": TABLE, "Item": key(owner, 3)}}]),
                lambda: tenant.query(TableName=TABLE, KeyConditionExpression="#p = :p",
                                     ExpressionAttributeNames={"#p": partition},
                                     ExpressionAttributeValues={":p": {"S": owner}})]
            for call in calls:
                if allowed:
                    call()
                else:
                    with self.refused("AccessDeniedException", "is not authorized to perform"):
                        call()

    def test_a_signature_may_be_in_the_query(self):
        body = json.dumps({"TableName": TABLE})
        target = "DynamoDB_20120810.DescribeTable"
        # The signer would move a body into the query, so it gets only the body's hash.
        body_hash = {"X-Amz-Content-SHA256": hashlib.sha256(body.encode()).hexdigest()}
        request = AWSRequest("POST",
                             self.endpoint + "/",
                             headers={
                                 "X-Amz-Target": target,
                                 "Content-Type": "application/x-amz-json-1.0", **body_hash
                             })
        credentials = Credentials("AKIDOWNER", "the owner's secret")
        SigV4QueryAuth(credentials, "dynamodb", "us-east-1", expires=60).add_auth(request)
        status, answer = post(request.url, target, body, body_hash)
        self.assertEqual((status, answer.get("Table", answer)["TableName"]), (200, TABLE))
        for other_target, other_body in [(target.replace("Describe", "Delete"), body),
                                         (target, "{}")]:
            status, answer = post(request.url, other_target, other_body, body_hash)
            self.assertEqual((status, answer["__type"].partition("#")[2]),
                             (400, "InvalidSignatureException"))


class TlsTest(unittest.TestCase):
    def test_the_development_certificate_can_be_trusted(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [f"{folder}/certificate.pem", f"{folder}/key.pem"]
            with ServerProcess("--memory", "--tls-self-signed", "--tls-cert", files[0], "--tls-key",
                               files[1]) as endpoint:
                self.assertTrue(endpoint.startswith("https:"))
                dynamodb = client(endpoint, verify=files[0])
                make_table(dynamodb)
                self.assertEqual(dynamodb.list_tables()["TableNames"], [TABLE])
                with self.assertRaises(SSLError):
                    client(endpoint).list_tables()


class DurabilityTest(unittest.TestCase):
    def test_acknowledged_writes_survive_a_killed_server(self):
        with tempfile.TemporaryDirectory() as folder:
            server = ServerProcess("--data", folder)
            with server as endpoint:
                dynamodb = client(endpoint)
                make_table(dynamodb)
                for number in range(20):
                    dynamodb.put_item(TableName=TABLE, Item=key("a", number))
                server.kill()
            with ServerProcess("--data", folder) as endpoint:
                answer = client(endpoint).scan(TableName=TABLE, Select="COUNT")
                self.assertEqual(answer["Count"], 20)


if __name__ == "__main__":
    unittest.main()
