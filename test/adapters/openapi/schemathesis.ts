import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { withService } from "./service.ts"

// Runs the checks of Schemathesis against a service with its own OpenAPI document. The tool comes from PyPI into a temporary folder.

const version = "4.32.5"

/** The service answers 404 to methods that a path does not have; the check expects 405. */
const otherMethods = "[checks]\nunsupported_method.enabled = false\n"

/**
 * These operations answer 400 to some bodies that the schema allows: a wrong code, token or client, a parameter of OAuth that is given
 * more than once, or a body without either of two members of which one is required.
 */
const refusing = [
  ...[
    "POST /required-actions/change-password",
    "POST /2fa/codes/send",
    "POST /2fa/totp/challenge",
    "POST /2fa/totp/enrol",
    "POST /2fa/totp/enrol/confirm",
    "POST /magic-link/show",
    "POST /magic-link/verify",
    "POST /magic-link/verify-code",
    "POST /verify-email",
    "POST /verify-email/code",
    "POST /verify-email/show",
  ],
  ...["GET /native/request", "POST /native/exchange"],
  ...[
    "GET /oauth2/authorize",
    "POST /oauth2/authorize",
    "POST /oauth2/device-authorization",
    "GET /oauth2/logout",
    "POST /oauth2/logout",
    "POST /oauth2/token",
    "POST /oauth2/introspect",
    "POST /oauth2/par",
    "POST /oauth2/revoke",
    "POST /oauth2/userinfo",
    "POST /passkey/authenticate/verify",
  ],
  ...["POST /organization/accept-invitation/sign-up", "POST /organization/show-invitation"],
  ...["POST /report-sign-in", "POST /report-sign-in/show"],
  ...["POST /reset-password", "POST /reset-password/show", "POST /sign-in/email-otp", "POST /sign-up/email"],
]

/** These operations give the same answer to every text, also to one that is not an address. */
const accepting = ["POST /passkey/authenticate/options"]

const without = (names: ReadonlyArray<string>, check: string) =>
  names.map((name) => `[[operations]]\ninclude-name = "${name}"\nchecks.${check}.enabled = false\n`).join("")

await withService(({ folder, base, run }) => {
  const exceptions = [otherMethods, without(refusing, "positive_data_acceptance"), without(accepting, "negative_data_rejection")]
  writeFileSync(join(folder, "schemathesis.toml"), exceptions.join("\n"))
  run("python3", "-m", "venv", "venv")
  run("venv/bin/pip", "install", "--quiet", "--retries", "10", `schemathesis==${version}`)
  const bounds = ["--phases", "examples,coverage,fuzzing", "--max-examples", "2", "--seed", "1"]
  run("venv/bin/schemathesis", "--config-file", "schemathesis.toml", "run", `${base}/openapi.json`, ...bounds, "--continue-on-failure")
  console.log("passed: the checks of Schemathesis")
})
