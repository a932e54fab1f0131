const folder = (label, directory, collapsed = true) => ({ label, collapsed, items: [{ autogenerate: { directory } }] })
const pages = (...slugs) => slugs

/** The sidebar has a section for each purpose of a page: to learn, to do, to look up, to understand. */
export const sidebar = [
  { label: "Learn", items: pages("start/quick-start", "start/next") },
  {
    label: "Do",
    items: [
      ...pages(
        "guides/your-app",
        "guides/hosts",
        "guides/google",
        "guides/providers",
        "guides/two-origins",
        "guides/refuse-sign-up",
        "guides/administration",
        "guides/console",
        "guides/recipes",
        "guides/own-mailer",
        "guides/jobs",
        "guides/testing",
        "guides/deployment",
        "guides/production",
        "guides/scaling",
        "guides/monitoring",
        "guides/sms",
        "guides/graphql",
        "guides/graphql-client",
        "guides/modules",
        "guides/sign-in-methods",
      ),
      folder("Frameworks", "frameworks"),
      folder("Moving in", "moving-in"),
    ],
  },
  {
    label: "Look up",
    items: [
      folder("Modules", "modules"),
      ...pages("reference/endpoints", "reference/configuration", "reference/settings", "reference/commands"),
      folder("Errors", "reference/errors"),
    ],
  },
  folder("Understand", "understand"),
]
