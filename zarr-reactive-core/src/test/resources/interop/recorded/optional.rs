//! Writes arrays of optional elements with zarrs 0.23.14, one directory each, and beside each what a
//! reader must see (`expected.json`: null, or a list with the one value). A line of optional.tsv
//! has the name, the files but for expected.json in base64 by their keys, and expected.json.
//!
//!     cargo add zarrs@0.23.14 --no-default-features --features filesystem,gzip,crc32c,sharding,transpose
//!     cargo add serde_json && cargo run -- target/arrays

use std::path::Path;
use std::sync::Arc;
use zarrs::array::codec::GzipCodec;
use zarrs::array::{ArrayBuilder, DataType, Element, FillValue, data_type};
use zarrs::filesystem::FilesystemStore;

struct Rng(u64);
impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        self.0 >> 33
    }
}

trait Json { fn json(&self) -> serde_json::Value; }
macro_rules! num { ($($t:ty),*) => { $(impl Json for $t { fn json(&self) -> serde_json::Value { serde_json::json!(self) } })* } }
num!(u8, i16, i32, i64, u64, f32, f64, bool, String);
impl<T: Json> Json for Option<T> {
    fn json(&self) -> serde_json::Value {
        match self { None => serde_json::Value::Null, Some(v) => serde_json::json!([v.json()]) }
    }
}

struct Case<'a> { root: &'a Path, name: &'a str, dt: DataType, fill: FillValue, gzip: bool, sub: Option<Vec<u64>> }

fn write<T: Json + Element + Clone>(c: Case, shape: &[u64], chunk: &[u64], make: impl FnMut() -> T) {
    let dir = c.root.join(c.name);
    let store = Arc::new(FilesystemStore::new(&dir).unwrap());
    let mut b = ArrayBuilder::new(shape.to_vec(), chunk.to_vec(), c.dt, c.fill);
    if c.gzip { b.bytes_to_bytes_codecs(vec![Arc::new(GzipCodec::new(5).unwrap())]); }
    if let Some(s) = c.sub { b.subchunk_shape(s); }
    let array = b.build(store, "/").unwrap();
    let array = array.with_metadata_options(zarrs::array::ArrayMetadataOptions::default().with_include_zarrs_metadata(false));
    array.store_metadata().unwrap();
    let n: u64 = shape.iter().product();
    let mut make = make;
    let v: Vec<T> = (0..n).map(|_| make()).collect();
    let json: Vec<_> = v.iter().map(|x| x.json()).collect();
    array.store_array_subset(&array.subset_all(), v).unwrap();
    std::fs::write(dir.join("expected.json"), serde_json::to_string(&json).unwrap()).unwrap();
}

fn main() {
    let root = std::env::args().nth(1).unwrap();
    let root = Path::new(&root);
    let mut r = Rng(1);
    let null = FillValue::new_optional_null;
    let case = |name, dt, fill| Case { root, name, dt, fill, gzip: false, sub: None };
    write(case("uint8", data_type::uint8().to_optional(), null()), &[5, 4], &[2, 3],
        || { let x = r.next(); (x % 3 > 0).then_some((x >> 8) as u8) });
    write(case("int32-fill", data_type::int32().to_optional(), FillValue::from(-7i32).into_optional()), &[6], &[4],
        || { let x = r.next(); (x % 2 > 0).then_some(x as i32) });
    write(Case { gzip: true, ..case("float64-gzip", data_type::float64().to_optional(), null()) }, &[4, 5], &[4, 5],
        || { let x = r.next(); (x % 4 > 0).then_some(x as f64 / 1024.0) });
    write(Case { sub: Some(vec![2, 2]), ..case("int16-shards", data_type::int16().to_optional(), null()) }, &[8, 4], &[4, 4],
        || { let x = r.next(); (x % 8 == 0).then_some(x as i16) });
    write(case("bool", data_type::bool().to_optional(), null()), &[9], &[5],
        || { let x = r.next(); (x % 3 > 0).then_some(x & 16 > 0) });
    write(case("nested-uint8", data_type::uint8().to_optional().to_optional(), null().into_optional()), &[4, 4], &[2, 2],
        || { let x = r.next(); match x % 4 { 0 => None, 1 => Some(None), _ => Some(Some((x >> 8) as u8)) } });
    write(case("nested-float32", data_type::float32().to_optional().to_optional().to_optional(), null()), &[10], &[4],
        || { let x = r.next(); match x % 5 { 0 => None, 1 => Some(None), 2 => Some(Some(None)), _ => Some(Some(Some(x as f32))) } });
    write(case("string", data_type::string().to_optional(), null()), &[3, 3], &[2, 2],
        || { let x = r.next(); match x % 4 { 0 => None, 1 => Some(String::new()), _ => Some(format!("text {x} é")) } });
    write(case("nested-string", data_type::string().to_optional().to_optional(), FillValue::from("none").into_optional().into_optional()), &[7], &[3],
        || { let x = r.next(); match x % 4 { 0 => None, 1 => Some(None), _ => Some(Some(format!("{x}"))) } });
    write(case("all-missing", data_type::int64().to_optional(), FillValue::from(1i64).into_optional()), &[4], &[4],
        || None::<i64>);
}
