//! Writes JSON strings byte for byte as serde_json does.

pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        rest = &rest[append_unescaped(out, rest)..];
        let Some((byte, after)) = rest.split_first() else { break };
        append_escaped(out, *byte);
        rest = after;
    }
    out.push(b'"');
}

/// Appends the longest prefix that needs no escaping, and returns its length.
///
/// The bytes are checked and copied in blocks of 16, 8 or 4, for which the compiler emits vector instructions. The
/// last block overlaps copied bytes, which `truncate` drops.
#[inline]
fn append_unescaped(out: &mut Vec<u8>, text: &[u8]) -> usize {
    if let Some(last) = text.last_chunk::<16>() {
        let (chunks, end) = text.as_chunks::<16>();
        for (at, chunk) in chunks.iter().enumerate() {
            if !need_no_escape(chunk) {
                return at * 16 + append_unescaped_bytewise(out, chunk);
            }
            out.extend_from_slice(chunk);
        }
        if end.is_empty() {
            return text.len();
        }
        if need_no_escape(last) {
            out.truncate(out.len() - (16 - end.len()));
            out.extend_from_slice(last);
            return text.len();
        }
        return text.len() - end.len() + append_unescaped_bytewise(out, end);
    }
    if let (Some(first), Some(last)) = (text.first_chunk::<8>(), text.last_chunk::<8>())
        && need_no_escape(first)
        && need_no_escape(last)
    {
        out.extend_from_slice(first);
        out.truncate(out.len() - (16 - text.len()));
        out.extend_from_slice(last);
        return text.len();
    }
    if let (4..8, Some(first), Some(last)) = (text.len(), text.first_chunk::<4>(), text.last_chunk::<4>())
        && need_no_escape(first)
        && need_no_escape(last)
    {
        out.extend_from_slice(first);
        out.truncate(out.len() - (8 - text.len()));
        out.extend_from_slice(last);
        return text.len();
    }
    append_unescaped_bytewise(out, text)
}

#[inline]
fn append_unescaped_bytewise(out: &mut Vec<u8>, text: &[u8]) -> usize {
    let end = text.iter().position(|byte| ESCAPES[*byte as usize] != 0);
    let end = end.unwrap_or(text.len());
    out.extend_from_slice(&text[..end]);
    end
}

/// The fold has no early exit, so that it compiles to a few vector instructions.
#[inline]
fn need_no_escape<const N: usize>(bytes: &[u8; N]) -> bool {
    let needs_escape = |byte: u8| (byte < 0x20) | (byte == b'"') | (byte == b'\\');
    !bytes.iter().fold(false, |found, byte| found | needs_escape(*byte))
}

#[cold]
fn append_escaped(out: &mut Vec<u8>, byte: u8) {
    match ESCAPES[byte as usize] {
        b'u' => {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            let digit = |nibble: u8| DIGITS[(nibble & 15) as usize];
            out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(byte)]);
        }
        short => out.extend_from_slice(&[b'\\', short]),
    }
}

/// The byte after the backslash; 0 if it needs no escaping.
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

/// The text before the value of a field: comma, key and colon.
pub(crate) struct KeyPrefix {
    /// Padded with spaces.
    padded: [u8; Self::SHORT],
    length: usize,
    /// Empty unless it is longer than [`Self::SHORT`].
    long: Box<[u8]>,
}

impl KeyPrefix {
    /// Length of the fixed-size copy. A response needs this much spare capacity.
    pub(crate) const SHORT: usize = 32;

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

    pub(crate) fn len(&self) -> usize {
        self.length
    }

    /// Copies [`Self::SHORT`] bytes and cuts the padding, because a copy of constant length is cheaper.
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
    fn key_prefixes_of_any_length_are_appended_completely() {
        for length in 0..80 {
            let text: Vec<u8> = (0..length).collect();
            let mut out = b"before".to_vec();
            KeyPrefix::new(&text).append(&mut out);
            assert_eq!(out, [b"before", &text[..]].concat());
        }
    }

    #[test]
    fn strings_are_written_as_by_serde_json() {
        let every: String = (0..=0x2ff_u32).chain([0x1F600]).filter_map(char::from_u32).collect();
        let mut cases = vec![String::new(), "plain".to_owned(), every.clone()];
        for (at, one) in every.char_indices() {
            for before in 0..34 {
                cases.push(format!(
                    "{}{one}{}",
                    "a".repeat(before),
                    &every[at..].chars().take(20).collect::<String>()
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
