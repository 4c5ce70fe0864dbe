// A statement as a program, with its pages.

import { type CodePlace, type Language, asciiJson, cppString, pythonString, quoted, shellText } from "./code.ts";

export interface StatementInput {
  Statement: string;
}

export function codeOfStatement(language: Language, input: StatementInput, place: CodePlace): string {
  switch (language) {
    case "Python":
      return `import boto3

client = boto3.client("dynamodb", endpoint_url=${pythonString(place.endpoint)}, region_name=${pythonString(place.region)})
request = {"Statement": ${pythonString(input.Statement)}}
while True:
    page = client.execute_statement(**request)
    for item in page.get("Items", []):
        print(item)
    if "NextToken" not in page:
        break
    request["NextToken"] = page["NextToken"]
`;
    case "JavaScript":
      return `import { DynamoDBClient, ExecuteStatementCommand } from "@aws-sdk/client-dynamodb";

const client = new DynamoDBClient({ endpoint: ${quoted(place.endpoint)}, region: ${quoted(place.region)} });
const Statement = ${quoted(input.Statement)};
let NextToken;
do {
  const page = await client.send(new ExecuteStatementCommand({ Statement, NextToken }));
  for (const item of page.Items ?? []) {
    console.log(item);
  }
  NextToken = page.NextToken;
} while (NextToken !== undefined);
`;
    case "C++":
      return `#include <stator/stator.h>

int main() {
  const auto database = stator::Open(${cppString(place.endpoint)});
  stator::ExecuteStatementInput input = {
      .statement = ${cppString(input.Statement)},
  };
  do {
    const auto page = (*database)->ExecuteStatement(input);
    if (!page) {
      return 1;  // page.error().message
    }
    for (const stator::Item& item : page->items) {
      // ...
    }
    input.next_token = page->next_token;
  } while (input.next_token);
}
`;
    case "AWS CLI":
      return `aws dynamodb execute-statement --endpoint-url ${shellText(place.endpoint)} --region ${shellText(place.region)} \\
  --cli-input-json ${shellText(asciiJson(input, 2))}
`;
  }
}
