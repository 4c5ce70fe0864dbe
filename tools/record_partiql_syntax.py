#!/usr/bin/env python3
"""Asks the public PartiQL parser what it says of statements, and writes it down.

    record_partiql_syntax.py [FILE]

FILE is test/golden/partiql_syntax.json unless given: its statements are kept, and each gets the
parser's message as "detail", or none when the parser takes it. src/partiql/syntax_test.cc reads the
file. The parser is in the jars that DynamoDB Local brings along (tools/dynamodb_local.py); a JDK
compiles the few lines that call it.
"""

import base64
import json
import pathlib
import subprocess
import sys
import tempfile

import dynamodb_local

ROOT = pathlib.Path(__file__).resolve().parents[1]
PROGRAM = """
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import com.amazon.ion.system.IonSystemBuilder;
import org.partiql.lang.SqlException;
import org.partiql.lang.syntax.SqlParser;

public class Ask {
  public static void main(String[] arguments) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    SqlParser parser = new SqlParser(IonSystemBuilder.standard().build());
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String said = "+";
      try {
        parser.parseExprNode(new String(Base64.getDecoder().decode(line), StandardCharsets.UTF_8));
      } catch (SqlException e) {
        said = "-" + e.getMessage();
      }
      System.out.println(
          Base64.getEncoder().encodeToString(said.getBytes(StandardCharsets.UTF_8)));
    }
  }
}
"""


def ask(statements):
    jars = dynamodb_local.find_jar().parent / "DynamoDBLocal_lib" / "*"
    lines = [base64.b64encode(each.encode()).decode() for each in statements]
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder) / "Ask.java"
        source.write_text(PROGRAM)
        subprocess.run(["javac", "-cp", str(jars), str(source)], check=True)
        answer = subprocess.run(["java", "-cp", f"{jars}:{folder}", "Ask"], check=True, text=True,
                                input="\n".join(lines) + "\n", capture_output=True).stdout
    return [base64.b64decode(line).decode() for line in answer.split()]


def main():
    path = pathlib.Path(sys.argv[1] if len(sys.argv) > 1
                        else ROOT / "test" / "golden" / "partiql_syntax.json")
    golden = json.loads(path.read_text())
    statements = [record["statement"] for record in golden["records"]]
    golden["records"] = [
        {"statement": statement} if said == "+" else {"statement": statement, "detail": said[1:]}
        for statement, said in zip(statements, ask(statements), strict=True)
    ]
    path.write_text(json.dumps(golden, indent=0, ensure_ascii=False) + "\n")
    print(f"{len(statements)} statements")


if __name__ == "__main__":
    main()
