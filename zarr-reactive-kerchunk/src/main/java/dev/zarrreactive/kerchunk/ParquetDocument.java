package dev.zarrreactive.kerchunk;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.MetadataException;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.LocatedJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The document {@code .zmetadata} of references in Parquet: all metadata of the arrays and groups,
 * and the number of rows of a record file.
 *
 * @param metadata the documents by key, and this one as a reader of Zarr expects it
 * @param arrays the arrays by path
 * @param recordSize the number of references in a record file
 */
record ParquetDocument(ReferenceTable metadata, Map<String, ChunkedArray> arrays, long recordSize) {
  static final String NAME = ".zmetadata";
  private static final String ARRAY = ".zarray";

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(256)
                  .maxNumberLength(1_000)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  /**
   * Reads the document.
   *
   * @throws MetadataException where it is malformed; the JSON pointer says where
   */
  static ParquetDocument read(Bytes document, KerchunkOptions options, Location place) {
    return new Reading(document, options, place).read();
  }

  private static final class Reading {
    private final Bytes document;
    private final Location top;
    private final ReferenceTable.Builder metadata;
    private final Map<String, ChunkedArray> arrays = new TreeMap<>();
    private long recordSize;

    Reading(Bytes document, KerchunkOptions options, Location place) {
      this.document = document;
      this.top = place.pointer("");
      // the documents are kept twice: each for itself, and all together
      this.metadata =
          new ReferenceTable.Builder(
              options.maxReferences(), 2 * options.maxBytes() + (1 << 20), place);
    }

    ParquetDocument read() {
      try (JsonParser parser =
          FACTORY.createParser(document.unsafeArray(), document.unsafeOffset(), document.size())) {
        if (parser.nextToken() != JsonToken.START_OBJECT
            || parser.currentTokenLocation().getByteOffset() < 0) {
          throw new MetadataException("the metadata are no JSON object in UTF-8", top);
        }
        for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
          JsonToken token = parser.nextToken();
          if (name.equals("record_size")) {
            recordSize = token == JsonToken.VALUE_NUMBER_INT ? parser.getLongValue() : 0;
          } else if (name.equals("metadata") && token == JsonToken.START_OBJECT) {
            readMetadata(parser);
          } else {
            parser.skipChildren();
          }
        }
        if (parser.nextToken() != null) {
          throw new MetadataException("content after the end of the metadata", top);
        }
      } catch (JsonProcessingException e) {
        throw new MetadataException(
            "not JSON: " + String.valueOf(e.getOriginalMessage()).replaceAll("\\R.*", ""), top, e);
      } catch (IOException e) {
        throw new MetadataException("not JSON: " + e.getMessage(), top, e);
      }
      if (recordSize < 1 || recordSize > Integer.MAX_VALUE) {
        throw new MetadataException(
            "references in Parquet need the number of rows of a record file, from 1 to "
                + Integer.MAX_VALUE,
            top.child("record_size"));
      }
      return new ParquetDocument(metadata.build(), arrays, recordSize);
    }

    private void readMetadata(JsonParser parser) throws IOException {
      int start = (int) parser.currentTokenLocation().getByteOffset();
      for (String key = parser.nextFieldName(); key != null; key = parser.nextFieldName()) {
        Location where = top.child("metadata").child(key);
        try {
          StoreKey.of(key);
        } catch (IllegalArgumentException e) {
          throw new MetadataException("no key of a store: " + e.getMessage(), where, e);
        }
        if (parser.nextToken() != JsonToken.START_OBJECT) {
          throw new MetadataException("a document of metadata is an object", where);
        }
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        int to = (int) parser.currentLocation().getByteOffset();
        Bytes value = document.slice(from, to - from);
        metadata.inline(key, value.unsafeArray(), value.unsafeOffset(), value.size());
        if (key.equals(ARRAY) || key.endsWith("/" + ARRAY)) {
          String path = key.substring(0, Math.max(0, key.length() - ARRAY.length() - 1));
          arrays.put(path, ChunkedArray.of(path, parsed(value, where)));
        }
      }
      int end = (int) parser.currentLocation().getByteOffset();
      byte[] consolidated = consolidated(document.slice(start, end - start));
      metadata.inline(NAME, consolidated, 0, consolidated.length);
    }

    private static LocatedJson parsed(Bytes zarray, Location where) {
      return JsonDocument.parse(
              zarray.asByteBuffer(), where, Long.MAX_VALUE, JsonDocument.Kind.V2_ARRAY)
          .json()
          .at(inside -> where);
    }

    /** The document that a reader of Zarr v2 expects: it names its format. */
    private static byte[] consolidated(Bytes metadata) {
      ByteArrayOutputStream out = new ByteArrayOutputStream(metadata.size() + 64);
      out.writeBytes(
          "{\"zarr_consolidated_format\":1,\"metadata\":".getBytes(StandardCharsets.UTF_8));
      out.write(metadata.unsafeArray(), metadata.unsafeOffset(), metadata.size());
      out.write('}');
      return out.toByteArray();
    }
  }
}
