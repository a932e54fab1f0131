import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { withService } from "./service.ts"

// Generates clients from the document of a service and signs up with each. The generators come from npm and Maven Central into a temporary folder.

const packages = [
  "openapi-typescript@7.13.0",
  "openapi-fetch@0.17.0",
  "typescript@5.9.3",
  "@types/node@24.19.2",
  "@openapitools/openapi-generator-cli@2.41.0",
]
const goModule = `module signup

go 1.23

require github.com/GIT_USER_ID/GIT_REPO_ID v0.0.0

replace github.com/GIT_USER_ID/GIT_REPO_ID => ./go-client
`

await withService(async ({ folder, base, run }) => {
  cpSync(join(import.meta.dirname, "clients"), folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }')
  writeFileSync(join(folder, "openapi.json"), await (await fetch(`${base}/openapi.json`)).text())
  run("npm", "install", "--silent", "--no-audit", "--no-fund", ...packages)

  run("npx", "openapi-typescript", "openapi.json", "--output", "types.d.ts")
  const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", "node", "--allowImportingTsExtensions"]
  run("npx", "tsc", ...strict, "sign-up.ts")
  run(process.execPath, "sign-up.ts", base)

  const generated = (language: string) => [
    "generate",
    "-i",
    "openapi.json",
    "-g",
    language,
    "-o",
    `${language}-client`,
    "--skip-validate-spec",
  ]
  run("npx", "openapi-generator-cli", ...generated("python"))
  run("python3", "-m", "venv", "venv")
  run("venv/bin/pip", "install", "--quiet", "./python-client")
  run("venv/bin/python", "sign_up.py", base)

  run("npx", "openapi-generator-cli", ...generated("go"))
  writeFileSync(join(folder, "go.mod"), goModule)
  run("go", "run", "-mod=mod", "sign_up.go", base)
})
