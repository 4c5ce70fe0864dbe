// For tests: an identity server (oidc-provider) that gives tokens to programs. Prints its address.
// Needs Node 22.

import { createServer } from "node:http";
import { generateKeyPairSync } from "node:crypto";
import Provider from "oidc-provider";

const server = createServer((request, response) => callback(request, response));
let callback;
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const sign = (options, id, alg) => ({
    ...generateKeyPairSync(...options).privateKey.export({ format: "jwk" }),
    kid: id,
    alg,
    use: "sig",
  });
  const client = (id, scope) => ({
    client_id: id,
    client_secret: `${id}-secret`,
    grant_types: ["client_credentials"],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method: "client_secret_basic",
    scope,
  });
  const provider = new Provider(issuer, {
    clients: [client("reader", "mcp tables.read"), client("stranger", "mcp")],
    scopes: ["mcp", "tables.read", "tables.write"],
    jwks: {
      keys: [
        sign(["rsa", { modulusLength: 2048 }], "r1", "RS256"),
        sign(["ec", { namedCurve: "P-256" }], "e1", "ES256"),
      ],
    },
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (context, indicator) => ({
          scope: "mcp tables.read tables.write",
          audience: indicator,
          accessTokenTTL: 600,
          accessTokenFormat: "jwt",
          jwt: { sign: { alg: "ES256" } },
        }),
      },
    },
    extraTokenClaims: (context, token) => ({ client: token.clientId }),
  });
  callback = provider.callback();
  console.log(issuer);
});
