//! JSON texts as answers hold them, byte by byte what serde_json writes.

/// Appends a text with its quotes (RFC 8259, section 7).
pub(crate) fn text(out: &mut Vec<u8>, text: &str) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let plain = plain(rest);
        out.extend_from_slice(&rest[..plain]);
        let Some(byte) = rest.get(plain) else { break };
        match ESCAPES[*byte as usize] {
            b'u' => {
                const DIGITS: &[u8; 16] = b"0123456789abcdef";
                let digit = |nibble: u8| DIGITS[(nibble & 15) as usize];
                out.extend_from_slice(&[b'\\', b'u', b'0', b'0', digit(byte >> 4), digit(*byte)]);
            }
            short => out.extend_from_slice(&[b'\\', short]),
        }
        rest = &rest[plain + 1..];
    }
    out.push(b'"');
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

/// How many bytes stand for themselves. Looks at eight at once: the usual text has nothing to escape.
fn plain(bytes: &[u8]) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    let mut at = 0;
    let (eights, _) = bytes.as_chunks::<8>();
    for eight in eights {
        let word = u64::from_ne_bytes(*eight);
        let (quote, backslash) = (word ^ (ONES * b'"' as u64), word ^ (ONES * b'\\' as u64));
        // The high bit of a byte is set where the byte is below 0x20, or is one of the two; a borrow may set others above, but
        // none where there was nothing to find.
        let control = word.wrapping_sub(ONES * 0x20) & !word;
        let found = control | (quote.wrapping_sub(ONES) & !quote) | (backslash.wrapping_sub(ONES) & !backslash);
        if found & HIGH != 0 {
            break;
        }
        at += 8;
    }
    let rest = bytes[at..].iter().position(|byte| ESCAPES[*byte as usize] != 0);
    rest.map_or(bytes.len(), |found| at + found)
}

#[cfg(test)]
mod tests {
    use super::*;

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
