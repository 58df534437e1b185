//! zarrs as a client of the comparison, of files: see PeerProcess.java.

use std::error::Error;
use std::io::{BufRead, Write};
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use zarrs::array::codec::ZstdCodec;
use zarrs::array::{data_type, codec::array_to_bytes::sharding::ShardingCodecBuilder, Array, ArrayBuilder, ArraySubset};
use zarrs::filesystem::FilesystemStore;
use zarrs::node::Node;

const SIDE: u64 = 256;

type Outcome = Result<(u128, u64), Box<dyn Error>>;
type Opened = Array<FilesystemStore>;

fn opened(location: &str, name: &str) -> Result<Opened, Box<dyn Error>> {
    let store = Arc::new(FilesystemStore::new(location)?);
    Ok(Array::open(store, &format!("/{name}"))?)
}

/// Parses NumPy's notation without steps and lists.
fn subset(text: &str, shape: &[u64]) -> Result<ArraySubset, Box<dyn Error>> {
    if text == "..." {
        return Ok(ArraySubset::new_with_shape(shape.to_vec()));
    }
    if text.contains('[') || text.contains("::") {
        return Err("unsupported: no steps and no lists".into());
    }
    let mut ranges: Vec<Range<u64>> = Vec::new();
    for (part, extent) in text.split(',').zip(shape) {
        ranges.push(match part.split_once(':') {
            None => {
                let index: u64 = part.parse()?;
                index..index + 1
            }
            Some((from, to)) => {
                let from = if from.is_empty() { 0 } else { from.parse()? };
                from..if to.is_empty() { *extent } else { to.parse()? }
            }
        });
    }
    Ok(ArraySubset::new_with_ranges(&ranges))
}

fn total(values: &[u16]) -> u64 {
    values.iter().map(|each| u64::from(*each)).sum()
}

fn read(location: &str, array: &str, argument: &str) -> Outcome {
    let one = opened(location, array)?;
    let subset = subset(argument, one.shape())?;
    let begun = Instant::now();
    let values: Vec<u16> = one.retrieve_array_subset(&subset)?;
    Ok((begun.elapsed().as_nanos(), total(&values)))
}

fn many(location: &str, array: &str, argument: &str) -> Outcome {
    let one = opened(location, array)?;
    let subsets = argument
        .split('|')
        .map(|each| subset(each, one.shape()))
        .collect::<Result<Vec<_>, _>>()?;
    let begun = Instant::now();
    let results = std::thread::scope(|scope| {
        let threads = 4;
        let reading: Vec<_> = (0..threads)
            .map(|t| {
                let (one, subsets) = (&one, &subsets);
                scope.spawn(move || {
                    (t..subsets.len())
                        .step_by(threads)
                        .map(|i| one.retrieve_array_subset::<Vec<u16>>(&subsets[i]).unwrap())
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        reading.into_iter().flat_map(|each| each.join().unwrap()).collect::<Vec<_>>()
    });
    Ok((begun.elapsed().as_nanos(), results.iter().map(|each| total(each)).sum()))
}

fn open(location: &str, root: &str, argument: &str) -> Outcome {
    let words: Vec<&str> = argument.split(' ').collect();
    let (groups, arrays): (u64, u64) = (words[1].parse()?, words[2].parse()?);
    let store = Arc::new(FilesystemStore::new(location)?);
    let begun = Instant::now();
    let mut extent = 0;
    for g in 0..groups {
        for a in 0..arrays {
            let name = words[0].replacen("%d", &g.to_string(), 1).replacen("%d", &a.to_string(), 1);
            extent += Array::open(store.clone(), &format!("/{root}/{name}"))?.shape()[0];
        }
    }
    Ok((begun.elapsed().as_nanos(), extent))
}

fn below(node: &Node) -> u64 {
    node.children().iter().map(|child| 1 + below(child)).sum()
}

fn walk(location: &str, root: &str) -> Outcome {
    let store = Arc::new(FilesystemStore::new(location)?);
    let begun = Instant::now();
    let nodes = below(&Node::open(&store, &format!("/{root}"))?);
    Ok((begun.elapsed().as_nanos(), nodes))
}

fn write(location: &str, array: &str, argument: &str) -> Outcome {
    let bytes = std::fs::read(format!("{location}/../content"))?;
    let content: Vec<u16> = bytes.chunks_exact(2).map(|two| u16::from_le_bytes([two[0], two[1]])).collect();
    let store = Arc::new(FilesystemStore::new(location)?);
    let zstd = Arc::new(ZstdCodec::new(3, false));
    let chunk = if argument == "sharded" { 128 } else { 64 };
    let mut builder = ArrayBuilder::new(
        vec![SIDE; 3],
        vec![chunk; 3],
        data_type::uint16(),
        0u16,
    );
    if argument == "sharded" {
        let inner = vec![std::num::NonZeroU64::new(64).unwrap(); 3];
        let mut sharding = ShardingCodecBuilder::new(inner, &data_type::uint16());
        sharding.bytes_to_bytes_codecs(vec![zstd]);
        builder.array_to_bytes_codec(Arc::new(sharding.build()));
    } else {
        builder.bytes_to_bytes_codecs(vec![zstd]);
    }
    let begun = Instant::now();
    let one = builder.build(store, &format!("/{array}"))?;
    one.store_metadata()?;
    one.store_array_subset(&one.subset_all(), &content)?;
    let nanos = begun.elapsed().as_nanos();
    let values: Vec<u16> = opened(location, array)?.retrieve_array_subset(&one.subset_all())?;
    Ok((nanos, total(&values)))
}

fn main() {
    if std::env::args().any(|each| each == "--check") {
        println!("{}", zarrs::version::version_str());
        return;
    }
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let words: Vec<&str> = line.split('\t').collect();
        let (location, array, argument) = (words[1], words[2], words[3]);
        let outcome = if location.contains(':') {
            Err("unsupported: files alone".into())
        } else {
            match words[0] {
                "read" => read(location, array, argument),
                "many" => many(location, array, argument),
                "open" => open(location, array, argument),
                "walk" => walk(location, array),
                "write" => write(location, array, argument),
                _ => Err("unsupported: not measured".into()),
            }
        };
        let answer = match outcome {
            Ok((nanos, checksum)) => format!("ok\t{nanos}\t{checksum}"),
            Err(error) => match error.to_string().strip_prefix("unsupported: ") {
                Some(reason) => format!("unsupported\t{reason}"),
                None => format!("failed\t{}", error.to_string().replace(['\n', '\t'], " ")),
            },
        };
        println!("{answer}");
        std::io::stdout().flush().ok();
    }
}
