import { readFileSync } from "node:fs"
import { minifyIntrospection, outputIntrospectionFile } from "@gql.tada/internal"
import { buildSchema, introspectionFromSchema } from "graphql"

// A schema goes in, its types as gql.tada reads them come out.
const schema = introspectionFromSchema(buildSchema(readFileSync(0, "utf8")), { descriptions: false })
process.stdout.write(outputIntrospectionFile(minifyIntrospection(schema), { fileType: ".d.ts", shouldPreprocess: true }))
