import { makeClient } from "./client.ts"
import { graphql } from "./graphql.ts"

const SignUp = graphql(`
  mutation SignUp($input: SignUpEmailInput!) {
    signUpEmail(input: $input) {
      user {
        id
        email
      }
    }
  }
`)

const Viewer = graphql(`
  query Viewer {
    viewer {
      user {
        email
        createdAt
      }
      sessions(first: 10) {
        edges {
          node {
            userAgent
          }
        }
      }
      accounts {
        providerId
      }
    }
  }
`)

const SignOut = graphql(`
  mutation SignOut {
    signOut {
      success
    }
  }
`)

const [url = "http://localhost:3000/graphql", email = "ada@example.com", password = "correct horse battery staple"] = process.argv.slice(2)
const ask = makeClient(url)

const { signUpEmail } = await ask(SignUp, { input: { email, password } })
console.log(`signed up: ${signUpEmail?.user?.email}`)

const { viewer } = await ask(Viewer, {})
console.log(`signed in by: ${viewer?.accounts.map(({ providerId }) => providerId).join(", ")}`)
console.log(`sessions: ${viewer?.sessions.edges.length}`)

await ask(SignOut, {})
console.log(`signed in: ${(await ask(Viewer, {})).viewer !== null}`)
