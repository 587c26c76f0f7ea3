use reqwest::RequestBuilder;
use serde_json::Value;
use url::Url;
use waypost_auth::{
    Clock, Principal, Reject, TokenKind, Verifier,
    dpop::{ProofKey, Proofs},
};

use super::Case;
use crate::{http::Response, report::Findings};

/// The algorithm that browsers use.
const ALGORITHM: &str = "ES256";

pub(super) fn support(case: &Case<'_>, document: &Value, findings: &mut Findings) {
    let announced = document["dpop_signing_alg_values_supported"]
        .as_array()
        .map(|algorithms| algorithms.iter().any(|algorithm| algorithm == ALGORITHM));
    let tokens = &case.provider.tokens;
    let setting = case.setting("DPOP");
    let can_bind = matches!(tokens.token, TokenKind::Jwt | TokenKind::Introspection(_));
    match (tokens.dpop, announced) {
        (true, Some(true)) => findings.ok("dpop", "The provider supports access tokens that are bound to a browser (DPoP)."),
        (true, Some(false)) => findings.problem(
            "dpop",
            format!("The provider does not accept DPoP proofs of browsers, which are signed with {ALGORITHM}."),
            Some(format!("Remove {setting}.")),
        ),
        (true, None) => findings.warning(
            "dpop",
            "The discovery document does not announce DPoP (`dpop_signing_alg_values_supported`). If the provider does not \
             support it, every sign-in fails.",
            Some(format!("Check with `waypost doctor oidc --sign-in`, or remove {setting}.")),
        ),
        (false, Some(true)) if can_bind && case.provider.relay.is_none() && !tokens.userinfo => findings.note(
            "dpop",
            "The provider supports access tokens that are bound to a browser (DPoP), so that stolen tokens are useless.",
            Some(format!("Set {setting}=1 to require them.")),
        ),
        (false, _) => {}
    }
}

pub(super) struct Prover(ProofKey);

impl Prover {
    pub(super) fn new(case: &Case<'_>) -> Result<Option<Self>, String> {
        if !case.provider.tokens.dpop {
            return Ok(None);
        }
        ProofKey::generate()
            .map(|key| Some(Self(key)))
            .map_err(|error| format!("a key could not be generated: {error}"))
    }

    pub(super) fn prove(
        &self,
        request: RequestBuilder,
        url: &Url,
        nonce: Option<&str>,
    ) -> Result<RequestBuilder, String> {
        let claims = ProofKey::claims("POST", url.as_str(), None, nonce, Clock::system().unix());
        let proof = claims.and_then(|claims| self.0.sign(&claims));
        let proof = proof.map_err(|error| format!("a proof could not be signed: {error}"))?;
        Ok(request.header("dpop", proof))
    }

    /// Verifies like the server in a request of the browser.
    pub(super) async fn verify(&self, verifier: &Verifier, token: &str) -> Result<Principal, Reject> {
        const URL: &str = "https://waypost.invalid/graphql";
        let failed = |error: anyhow::Error| Reject::Unavailable(format!("a proof could not be signed: {error}"));
        let clock = Clock::system();
        let url = Url::parse(URL).map_err(|error| failed(error.into()))?;
        let proofs = Proofs::new(url, URL.as_bytes(), clock.clone());
        let proof = ProofKey::claims("POST", URL, Some(token), Some(&proofs.nonce()), clock.unix())
            .and_then(|claims| self.0.sign(&claims))
            .map_err(failed)?;
        let principal = verifier.verify_bound(token, &proofs, &proof, "POST").await?;
        Ok((*principal).clone())
    }
}

/// Returns the nonce if the error requires one (section 8).
pub(super) fn required_nonce(response: &Response) -> Option<String> {
    let nonce = response.header("dpop-nonce")?;
    (response.json()["error"] == "use_dpop_nonce").then(|| nonce.to_owned())
}
