"""The policies that repositories ask for, checked by the real program: `stator serve` with nothing
but the policy lets every verb work, and with any one action less something is refused."""

import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sdk"))

from server_process import ServerProcess  # noqa: E402

VERBS = os.environ["STATOR_ENTITIES_VERBS"]
REFUSALS = ("not authorized", "access denied", "do not allow access")  # of the server, of a part, of ours


def run(*arguments):
    return subprocess.run([VERBS, *arguments], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def with_one_action_less(policy):
    """The name of the action, and the policy without it, for each action of each statement."""
    for number, statement in enumerate(policy["Statement"]):
        for action in statement["Action"]:
            less = copy.deepcopy(policy)
            actions = less["Statement"][number]["Action"]
            actions.remove(action)
            if not actions:  # nothing is left of the statement
                del less["Statement"][number]
            yield f"{number}.{action.removeprefix('dynamodb:')}", less


class PolicyServeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.policies = json.loads(run("policies"))
        cls.keys = {}  # per entity: the keys whose policies have one action less
        profiles = [cls.profile("admin")]
        for entity, policy in cls.policies.items():
            profiles.append(cls.profile(entity, policy))
            cls.keys[entity] = []
            for name, less in with_one_action_less(policy):
                key = f"{entity}.without.{name}"
                cls.keys[entity].append(key)
                profiles.append(cls.profile(key, less))
        # Every verb alone: its policy, and that policy with one action less, for each of them.
        cls.cases = json.loads(run("cases"))
        cls.less = {}
        for case, policy in cls.cases.items():
            profiles.append(cls.profile(case, policy, owner="ann"))
            cls.less[case] = []
            for name, less in with_one_action_less(policy):
                key = f"{case}.without.{name}"
                cls.less[case].append(key)
                profiles.append(cls.profile(key, less, owner="ann"))
        credentials = pathlib.Path(cls.folder.name, "credentials")
        credentials.write_text("\n".join(profiles))
        credentials.chmod(0o600)
        server = ServerProcess("--memory", "--region", "us-east-1", "--credentials",
                               str(credentials))
        cls.endpoint = server.__enter__()
        cls.addClassCleanup(server.__exit__)
        run("tables", cls.endpoint)

    @classmethod
    def profile(cls, key, policy=None, owner=None):
        lines = [f"[{key}]", f"aws_access_key_id = {key}",
                 "aws_secret_access_key = a secret for all"]
        if policy is not None:
            pathlib.Path(cls.folder.name, f"{key}.json").write_text(json.dumps(policy))
            lines.append(f"stator_policy = {key}.json")
        if owner is not None:
            lines.append(f"stator_tag_owner = {owner}")
        return "\n".join(lines) + "\n"

    def test_the_policy_is_sufficient(self):
        for entity in self.policies:
            with self.subTest(entity=entity):
                self.assertEqual(run("use", self.endpoint, entity, entity), "")

    def test_every_action_of_the_policy_is_necessary(self):
        self.assertGreaterEqual(len(self.keys["order"]), 9)
        for entity, keys in self.keys.items():
            failed = run("use", self.endpoint, entity, *keys).splitlines()
            for key in keys:
                with self.subTest(key=key):
                    failures = [line for line in failed if line.startswith(key + ": ")]
                    self.assertTrue(
                        any(word in line for line in failures for word in REFUSALS), failures)

    def tried(self, owner, tries):
        """What became of each of (case, key)."""
        lines = run("try", self.endpoint, owner, *(f"{case}={key}" for case, key in tries))
        return dict(line.split(" ", 1) for line in lines.splitlines())

    def test_the_policy_of_each_verb_alone_is_sufficient(self):
        self.assertGreaterEqual(len(self.cases), 45)
        for key, what in self.tried("ann", [(case, case) for case in self.cases]).items():
            with self.subTest(case=key):
                self.assertEqual(what, "ok")

    def test_every_action_of_the_policy_of_each_verb_is_necessary(self):
        tries = [(case, key) for case, keys in self.less.items() for key in keys]
        self.assertGreaterEqual(len(tries), len(self.cases))
        outcomes = self.tried("ann", tries)
        self.assertEqual(len(outcomes), len(tries))
        for key, what in outcomes.items():
            with self.subTest(key=key):
                self.assertTrue(what == "denied" or any(word in what for word in REFUSALS), what)

    def test_owners_reach_what_is_theirs_and_nothing_else(self):
        letters = [(case, case) for case in self.cases if case.startswith("letter.")]
        self.assertGreaterEqual(len(letters), 18)
        for key, what in self.tried("ben", letters).items():
            with self.subTest(case=key):
                self.assertTrue(what == "denied" or any(word in what for word in REFUSALS), what)


if __name__ == "__main__":
    unittest.main()
