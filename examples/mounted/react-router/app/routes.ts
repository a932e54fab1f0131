import { type RouteConfig, route } from "@react-router/dev/routes"

export default [route("api/auth/*", "routes/api.auth.$.ts")] satisfies RouteConfig
