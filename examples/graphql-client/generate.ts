import { readFileSync } from "node:fs"
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal"
import { buildSchema, introspectionFromSchema } from "graphql"

// Reads a schema from standard input and writes its types for gql.tada.
const schema = introspectionFromSchema(buildSchema(readFileSync(0, "utf8")), { descriptions: false })
process.stdout.write(outputIntrospectionFile(minifyIntrospection(schema), { fileType: ".d.ts", shouldPreprocess: true }))
