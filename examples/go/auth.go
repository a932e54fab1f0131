package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

type User struct {
	Email string `json:"email"`
}

// Verdict is the result of a check. Each of Cookies is a Set-Cookie field for the response.
type Verdict struct {
	Status  int // 200, 401, or 503: the state of the session is unknown, so do not sign the user out
	User    User
	Cookies []string
}

var service = &http.Client{
	Timeout:       3 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// GetSession asks the service whether a request has a session. The service counts anonymous requests by the sender's
// address if this backend is in its trusted_proxies.
func GetSession(r *http.Request) Verdict {
	asked, _ := http.NewRequestWithContext(r.Context(), "GET", issuer+"/get-session", nil)
	for _, name := range []string{"Cookie", "Authorization", "User-Agent"} {
		asked.Header[name] = r.Header[name]
	}
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	asked.Header.Set("X-Forwarded-For", address)
	answer, err := service.Do(asked)
	if err != nil {
		return Verdict{Status: 503}
	}
	defer answer.Body.Close()
	var body struct {
		User  *User
		Error struct{ Code string }
	}
	status, cookies := answer.StatusCode, answer.Header["Set-Cookie"]
	switch err := json.NewDecoder(answer.Body).Decode(&body); {
	case err == nil && status == 200 && body.User != nil:
		return Verdict{200, *body.User, cookies}
	case err == nil && (status == 200 || status == 401 || status == 403 && body.Error.Code == "banned"):
		return Verdict{401, User{}, cookies}
	}
	return Verdict{Status: 503}
}

var keys = oidc.NewRemoteKeySet(oidc.ClientContext(context.Background(), service), issuer+"/jwks")
var verifier = oidc.NewVerifier(issuer, keys, &oidc.Config{ClientID: issuer, SupportedSigningAlgs: []string{"EdDSA"}})

// VerifyToken checks signature, algorithm, issuer, audience and expiry of a request's token.
func VerifyToken(r *http.Request) (verdict Verdict) {
	token, err := verifier.Verify(r.Context(), strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	if err != nil && strings.Contains(err.Error(), "fetching keys") {
		return Verdict{Status: 503}
	}
	if err != nil || token.Claims(&verdict.User) != nil {
		return Verdict{Status: 401}
	}
	verdict.Status = 200
	return verdict
}

func require(check func(*http.Request) Verdict, next func(http.ResponseWriter, *http.Request, User)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		verdict := check(r)
		for _, cookie := range verdict.Cookies {
			w.Header().Add("Set-Cookie", cookie)
		}
		if verdict.Status != 200 {
			http.Error(w, http.StatusText(verdict.Status), verdict.Status)
			return
		}
		next(w, r, verdict.User)
	}
}
