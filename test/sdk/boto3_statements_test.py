"""Statements of PartiQL through boto3: what they read and write, and how they are refused."""

import unittest

from boto3_support import STATEMENT_OPERATIONS, TABLE, ServerTest, key

TEXT = {"S": "x"}


class StatementsTest(ServerTest):
    def run_statement(self, statement, *parameters, **options):
        if parameters:
            options["Parameters"] = list(parameters)
        return self.dynamodb.execute_statement(Statement=statement, **options)

    def test_a_statement_reads_and_writes(self):
        self.run_statement(f"INSERT INTO {TABLE} VALUE {{'pk': ?, 'sk': 1, 's': <<'u', 'v'>>}}",
                           {"S": "one"})
        answer = self.run_statement(f"SELECT * FROM {TABLE} WHERE pk = 'one'",
                                    ReturnConsumedCapacity="TOTAL")
        self.assertEqual(len(answer["Items"]), 1)
        self.assertEqual(sorted(answer["Items"][0]["s"]["SS"]), ["u", "v"])
        self.assertEqual(answer["ConsumedCapacity"]["CapacityUnits"], 0.5)
        with self.refused("DuplicateItemException", "Duplicate primary key exists in table"):
            self.run_statement(f"INSERT INTO {TABLE} VALUE {{'pk': 'one', 'sk': 1}}")
        updated = self.run_statement(
            f"UPDATE {TABLE} SET n = 7 WHERE pk = 'one' AND sk = 1 RETURNING MODIFIED NEW *")
        self.assertEqual(updated["Items"], [{"n": {"N": "7"}}])
        # As a plain request: Debian's boto3 is older than the parameter.
        status, answer = self.plain("ExecuteStatement", {
            "Statement": f"DELETE FROM {TABLE} WHERE pk = 'one' AND sk = 1 AND n = 8",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD"})
        self.assertEqual(status, 400)
        self.assertTrue(answer["__type"].endswith("#ConditionalCheckFailedException"), answer)
        self.assertEqual(answer["Item"]["n"], {"N": "7"})
        gone = self.run_statement(
            f"DELETE FROM {TABLE} WHERE pk = 'one' AND sk = 1 RETURNING ALL OLD *")
        self.assertEqual(gone["Items"][0]["pk"], {"S": "one"})

    def test_a_statement_is_refused_in_the_services_words(self):
        with self.refused("ValidationException",
                          "Statement wasn't well formed, can't be processed: Unexpected term"):
            self.run_statement(f"SELECT * FROM {TABLE} WHERE")
        with self.refused("ResourceNotFoundException", "Requested resource not found"):
            self.run_statement("SELECT * FROM nowhere")
        with self.refused("ValidationException", "'limit'"):
            self.run_statement(f"SELECT * FROM {TABLE}", Limit=0)
        with self.refused("ValidationException", "'statement'"):
            self.run_statement("")
        with self.refused("ValidationException", "Invalid NextToken"):
            self.run_statement(f"SELECT * FROM {TABLE}", NextToken="nonsense")

    def test_pages_go_on_by_their_token(self):
        for number in range(5):
            self.dynamodb.put_item(TableName=TABLE, Item=key("pages", number))
        request = {"Statement": f"SELECT sk FROM {TABLE} WHERE pk = 'pages'", "Limit": 2}
        numbers, token = [], None
        for _ in range(10):
            answer = self.dynamodb.execute_statement(
                **request, **({"NextToken": token} if token else {}))
            numbers += [int(item["sk"]["N"]) for item in answer["Items"]]
            token = answer.get("NextToken")
            if not token:
                break
        self.assertEqual(numbers, list(range(5)))

    def test_a_batch_answers_each_statement(self):
        self.dynamodb.put_item(TableName=TABLE, Item={**key("batch", 1), "t": TEXT})
        answer = self.dynamodb.batch_execute_statement(Statements=[
            {"Statement": f"SELECT t FROM {TABLE} WHERE pk = ? AND sk = ?",
             "Parameters": [{"S": "batch"}, {"N": "1"}], "ConsistentRead": True},
            {"Statement": "SELECT"},
            {"Statement": "SELECT * FROM nowhere WHERE pk = 'a'"}])
        self.assertEqual(answer["Responses"][0], {"TableName": TABLE, "Item": {"t": TEXT}})
        self.assertEqual([each.get("Error", {}).get("Code") for each in answer["Responses"]],
                         [None, "ValidationError", "ResourceNotFound"])
        with self.refused("ValidationException", "Read and write requests together"):
            self.dynamodb.batch_execute_statement(Statements=[
                {"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'a' AND sk = 1"},
                {"Statement": f"DELETE FROM {TABLE} WHERE pk = 'a' AND sk = 2"}])

    def test_a_transaction_is_all_or_nothing(self):
        insert = {"Statement": f"INSERT INTO {TABLE} VALUE {{'pk': 'transaction', 'sk': ?}}",
                  "Parameters": [{"N": "1"}]}
        check = {"Statement": f"EXISTS(SELECT * FROM {TABLE} WHERE pk = 'none' AND sk = 1 "
                              "AND n > 1)"}
        with self.refused("TransactionCanceledException",
                          "[None, ConditionalCheckFailed]") as caught:
            self.dynamodb.execute_transaction(TransactStatements=[insert, check])
        reasons = [each["Code"] for each in caught.exception.response["CancellationReasons"]]
        self.assertEqual(reasons, ["None", "ConditionalCheckFailed"])
        for _ in range(2):  # The second time is recognised.
            self.dynamodb.execute_transaction(TransactStatements=[insert],
                                              ClientRequestToken="token")
        answer = self.dynamodb.execute_transaction(TransactStatements=[
            {"Statement": f"SELECT * FROM {TABLE} WHERE pk = 'transaction' AND sk = {number}"}
            for number in (1, 2)])
        self.assertEqual(answer["Responses"], [{"Item": key("transaction", 1)}, {}])
        with self.refused("ValidationException", "Validation failed in TransactStatements[0]: "):
            self.dynamodb.execute_transaction(TransactStatements=[{"Statement": "SELECT"}])

    def test_zz_every_operation_was_driven_both_ways(self):
        self.check_driven_both_ways(STATEMENT_OPERATIONS)


if __name__ == "__main__":
    unittest.main()
