package dev.zarrreactive.metadata;

import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.ComplexType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.datatype.RawType;
import dev.zarrreactive.json.JsonArray;
import dev.zarrreactive.json.JsonString;
import dev.zarrreactive.json.JsonValue;
import dev.zarrreactive.json.LocatedJson;
import java.nio.ByteOrder;
import java.util.Base64;

/** Writes data types and fill values as a {@code .zarray} has them. */
final class V2Dtypes {
  private V2Dtypes() {}

  /** The type string of a data type. */
  static JsonValue text(DataType type, ByteOrder order, LocatedJson place) {
    int size = type.itemSize();
    if (type instanceof BoolType) {
      return new JsonString("|b1");
    }
    if (type instanceof RawType) {
      return new JsonString("|V" + size);
    }
    String sign = size == 1 ? "|" : order == ByteOrder.BIG_ENDIAN ? ">" : "<";
    if (type instanceof IntegerType integer) {
      return new JsonString(sign + (integer.signed() ? "i" : "u") + size);
    }
    if (type instanceof FloatType) {
      return new JsonString(sign + "f" + size);
    }
    if (type instanceof ComplexType) {
      return new JsonString(sign + "c" + size);
    }
    throw V2Document.refused("the data type " + type, place);
  }

  /** A fill value; one that only Zarr v3 can write, such as a NaN with a payload, is refused. */
  static JsonValue fillValue(FillValue value, LocatedJson place) {
    if (value.dataType() instanceof RawType) {
      return new JsonString(Base64.getEncoder().encodeToString(value.image()));
    }
    JsonValue json = value.toJson();
    boolean part =
        json instanceof JsonArray parts
            && parts.elements().stream().anyMatch(V2Dtypes::isHexadecimal);
    if (part || isHexadecimal(json)) {
      throw V2Document.refused("the fill value " + json, place);
    }
    return json;
  }

  private static boolean isHexadecimal(JsonValue value) {
    return value instanceof JsonString text && text.value().startsWith("0x");
  }
}
