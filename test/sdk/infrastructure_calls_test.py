"""What Terraform's provider, CloudFormation and CDK ask of a table when they make, plan, change and
remove it, call by call: infrastructure_calls.json. All of it is answered with what the tool reads. The
requests are plain ones: Debian's boto3 is older than some of their parameters."""

import json
import pathlib
import time
import unittest

from boto3_support import post
from server_process import ServerProcess

CALLS = json.loads(pathlib.Path(__file__).with_name("infrastructure_calls.json").read_text())
WAITS_MAX = 500
WAIT_SECONDS = 0.02


def members(value, path):
    """What stands at a path; `*` means every element of a list. Absent lists have none."""
    name, _, rest = path.partition(".")
    if name == "*":
        found = list(value)
    else:
        found = [value[name]] if name in value else []
    return found if not rest else [one for each in found for one in members(each, rest)]


def filled(value, arn):
    if isinstance(value, dict):
        return {name: filled(one, arn) for name, one in value.items()}
    return arn if value == "{arn}" else value


class Refused(Exception):
    def __init__(self, answer):
        super().__init__(answer)
        self.code = answer["__type"].rpartition("#")[2]
        self.message = answer.get("message", "")


class InfrastructureTest(unittest.TestCase):
    def ask(self, endpoint, call, arn):
        status, answer = post(endpoint, f"DynamoDB_20120810.{call['call']}",
                              json.dumps(filled(call["body"], arn)))
        if status != 200:
            raise Refused(answer)
        return answer

    def wait(self, endpoint, call, arn):
        for _ in range(WAITS_MAX):
            answer = self.ask(endpoint, call, arn)
            if all(set(members(answer, path)) <= {wanted}
                   for path, wanted in call["until"].items()):
                return
            time.sleep(WAIT_SECONDS)
        self.fail(f"{call} waits in vain: {answer}")

    def wait_for_error(self, endpoint, call, arn):
        for _ in range(WAITS_MAX):
            try:
                self.ask(endpoint, call, arn)
            except Refused as refused:
                self.assertEqual(refused.code, call["until_error"])
                return
            time.sleep(WAIT_SECONDS)
        self.fail(f"{call} waits in vain")

    def refused(self, endpoint, call, arn):
        with self.assertRaises(Refused) as raised:
            self.ask(endpoint, call, arn)
        self.assertIn(call.get("says", ""), raised.exception.message)
        return raised.exception.code

    def play(self, endpoint, call, arn):
        if "error" in call:
            self.assertEqual(self.refused(endpoint, call, arn), call["error"])
        elif "until" in call:
            self.wait(endpoint, call, arn)
        elif "until_error" in call:
            self.wait_for_error(endpoint, call, arn)
        else:
            answer = self.ask(endpoint, call, arn)
            for path in call.get("has", []):
                self.assertTrue(members(answer, path), f"{path} is missing in {answer}")

    def play_all(self, *arguments):
        with ServerProcess("--memory", *arguments) as endpoint:
            for flow in CALLS["flows"]:
                arn = f"arn:aws:dynamodb:us-east-1:000000000000:table/{flow['table']}"
                for step in flow["steps"]:
                    for call in step["calls"]:
                        with self.subTest(tool=flow["tool"], step=step["step"], call=call["call"]):
                            self.play(endpoint, call, arn)

    def test_every_call_is_answered(self):
        self.play_all()

    def test_tools_wait_for_tables_that_take_their_time(self):
        self.play_all("--transient-states=50")


if __name__ == "__main__":
    unittest.main()
