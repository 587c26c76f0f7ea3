//! JSON texts as answers hold them, byte by byte what serde_json writes.

/// Appends a text with its quotes (RFC 8259, section 7).
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        rest = copied(out, rest);
        let Some((byte, after)) = rest.split_first() else { break };
        escaped(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

/// Appends what stands for itself, and answers with what is left from the first byte that does not. The usual text has nothing to
/// escape, so what is looked at is copied at once, eight bytes at a time.
#[inline]
fn copied<'t>(out: &mut Vec<u8>, text: &'t [u8]) -> &'t [u8] {
    let (eights, end) = text.as_chunks::<8>();
    let mut rest = text;
    for eight in eights {
        if !is_plain(u64::from_ne_bytes(*eight)) {
            break;
        }
        out.extend_from_slice(eight);
        rest = &rest[8..];
    }
    let near = if rest.len() == end.len() { end } else { &rest[..8] };
    let plain = near
        .iter()
        .position(|byte| ESCAPES[*byte as usize] != 0)
        .unwrap_or(near.len());
    out.extend_from_slice(&near[..plain]);
    &rest[plain..]
}

#[cold]
fn escaped(out: &mut Vec<u8>, byte: u8) {
    match ESCAPES[byte as usize] {
        b'u' => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |nibble: u8| DIGITS[(nibble & 15) as usize];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
        }
        // A borrow may have pointed at a byte that stands for itself.
        0 => out.push(byte),
        short => out.extend_from_slice(&[b'\\', short]),
    }
}

/// What follows the backslash; 0 for a byte that stands for itself.
const ESCAPES: [u8; 256] = {
    let mut table = [0; 256];
    let mut control = 0;
    while control < 0x20 {
        table[control] = b'u';
        control += 1;
    }
    table[0x08] = b'b';
    table[0x09] = b't';
    table[0x0a] = b'n';
    table[0x0c] = b'f';
    table[0x0d] = b'r';
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table
};

/// Whether each of eight bytes stands for itself.
#[inline]
fn is_plain(word: u64) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let (quote, backslash) = (word ^ (ONES * b'"' as u64), word ^ (ONES * b'\\' as u64));
    // The high bit of a byte is set where the byte is below 0x20, or is one of the two. A borrow may set it in others above such a
    // byte, and never where there is none.
    let control = word.wrapping_sub(ONES * 0x20) & !word;
    let found = control | (quote.wrapping_sub(ONES) & !quote) | (backslash.wrapping_sub(ONES) & !backslash);
    found & HIGH == 0
}

/// A short text that is written often: what comes before the value of a field.
pub(crate) struct Lead {
    /// The text, and spaces behind it.
    padded: [u8; Self::SHORT],
    length: usize,
    /// A text that is too long for that.
    long: Box<[u8]>,
}

impl Lead {
    const SHORT: usize = 32;

    pub(crate) fn new(text: &[u8]) -> Self {
        let mut padded = [b' '; Self::SHORT];
        let is_short = text.len() <= Self::SHORT;
        if is_short {
            padded[..text.len()].copy_from_slice(text);
        }
        Self {
            padded,
            length: text.len(),
            long: if is_short { Box::default() } else { text.into() },
        }
    }

    /// Appends the text. A copy of as many bytes as are known when this is compiled costs less than one of fewer bytes.
    #[inline]
    pub(crate) fn append(&self, out: &mut Vec<u8>) {
        if self.length > Self::SHORT {
            return out.extend_from_slice(&self.long);
        }
        let end = out.len() + self.length;
        out.extend_from_slice(&self.padded);
        out.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_is_appended_whole_whatever_its_length() {
        for length in 0..80 {
            let text: Vec<u8> = (0..length).collect();
            let mut out = b"before".to_vec();
            Lead::new(&text).append(&mut out);
            assert_eq!(out, [b"before", &text[..]].concat());
        }
    }

    #[test]
    fn texts_are_written_as_serde_json_writes_them() {
        let every: String = (0..=0x2ff_u32).chain([0x1F600]).filter_map(char::from_u32).collect();
        let mut cases = vec![String::new(), "plain".to_owned(), every.clone()];
        for (at, one) in every.char_indices() {
            for before in 0..9 {
                cases.push(format!(
                    "{}{one}{}",
                    "a".repeat(before),
                    &every[at..].chars().take(9).collect::<String>()
                ));
            }
        }
        for case in cases {
            let mut out = Vec::new();
            text(&mut out, &case);
            assert_eq!(
                String::from_utf8(out).ok(),
                serde_json::to_string(&case).ok(),
                "{case:?}"
            );
        }
    }
}
