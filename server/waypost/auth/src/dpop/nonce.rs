//! A period and its MAC (RFC 9449, section 9).

use aws_lc_rs::{constant_time::verify_slices_are_equal, hmac};
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};

/// In seconds. A nonce is valid in its period and the next one, so a client with a request every two minutes always has
/// a valid one.
const PERIOD: u64 = 120;

const MAC_LENGTH: usize = 16;

pub(super) struct Nonces {
    key: hmac::Key,
}

impl Nonces {
    pub(super) fn new(key: &[u8]) -> Self {
        Self {
            key: hmac::Key::new(hmac::HMAC_SHA256, key),
        }
    }

    pub(super) fn issue(&self, now: u64) -> String {
        let period = (now / PERIOD).to_be_bytes();
        URL_SAFE_NO_PAD.encode([&period[..], &self.mac(period)].concat())
    }

    /// Returns the period. The next period is valid too, because the clock of another process may be ahead.
    pub(super) fn verify(&self, nonce: &str, now: u64) -> Option<u64> {
        let bytes = URL_SAFE_NO_PAD.decode(nonce).ok()?;
        let (period, mac) = bytes.split_first_chunk()?;
        verify_slices_are_equal(&self.mac(*period), mac).ok()?;
        let period = u64::from_be_bytes(*period);
        (Self::oldest(now)..=now / PERIOD + 1)
            .contains(&period)
            .then_some(period)
    }

    pub(super) fn oldest(now: u64) -> u64 {
        (now / PERIOD).saturating_sub(1)
    }

    fn mac(&self, period: [u8; 8]) -> [u8; MAC_LENGTH] {
        let mut context = hmac::Context::with_key(&self.key);
        // Separates this use of the key.
        context.update(b"DPoP nonce");
        context.update(&period);
        let mut mac = [0; MAC_LENGTH];
        mac.copy_from_slice(&context.sign().as_ref()[..MAC_LENGTH]);
        mac
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_800_000_000;

    #[test]
    fn a_nonce_is_valid_for_two_to_four_minutes() {
        let nonces = Nonces::new(b"secret");
        let nonce = nonces.issue(NOW);
        let valid = |now| nonces.verify(&nonce, now).is_some();
        assert!(valid(NOW) && valid(NOW + PERIOD));
        assert!(!valid(NOW + 2 * PERIOD));
        assert!(valid(NOW - PERIOD), "the clock of the issuing process is ahead");
        assert!(!valid(NOW - 2 * PERIOD));
    }

    #[test]
    fn processes_with_the_same_key_accept_nonces_of_each_other() {
        let nonce = Nonces::new(b"secret").issue(NOW);
        assert!(Nonces::new(b"secret").verify(&nonce, NOW).is_some());
        assert!(Nonces::new(b"another").verify(&nonce, NOW).is_none());
    }

    #[test]
    fn changed_nonces_are_invalid() {
        let nonces = Nonces::new(b"secret");
        let nonce = nonces.issue(NOW);
        let bytes = URL_SAFE_NO_PAD.decode(&nonce).expect("a nonce");
        for index in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[index] ^= 1;
            assert!(
                nonces.verify(&URL_SAFE_NO_PAD.encode(changed), NOW).is_none(),
                "{index}"
            );
        }
        for other in ["", "AA", &nonce[..nonce.len() - 2], &format!("{nonce}AA")] {
            assert!(nonces.verify(other, NOW).is_none(), "{other}");
        }
    }
}
