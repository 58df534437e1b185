package dev.zarrreactive.datatype;

import dev.zarrreactive.error.UnknownExtensionException;
import dev.zarrreactive.extension.NamedConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parsers of data types by their names in metadata. */
final class DataTypesByName {
  private static final Map<String, DataType> WITHOUT_CONFIGURATION = new TreeMap<>();

  private static final List<String> WITH_CONFIGURATION =
      List.of(
          Datetime64Type.NAME,
          Timedelta64Type.NAME,
          FixedLengthUtf32Type.NAME,
          NullTerminatedBytesType.NAME,
          RawBytesType.NAME,
          StructType.NAME,
          StructType.LEGACY_NAME,
          ListType.NAME,
          "zarrs.optional");

  private static final Pattern RAW = Pattern.compile("r([0-9]+)");

  static {
    add(DataTypes.BOOL);
    for (int bits = 2; bits <= 64; bits *= 2) {
      add(new IntegerType(bits, true));
      add(new IntegerType(bits, false));
    }
    for (FloatFormat format : FloatFormat.values()) {
      FloatType type = new FloatType(format);
      add(type);
      add(new ComplexType(type));
      add(ComplexType.ofLongName(type));
    }
    add(DataTypes.STRING);
    BytesType.NAMES.forEach(name -> add(new BytesType(name)));
  }

  private DataTypesByName() {}

  private static void add(DataType type) {
    WITHOUT_CONFIGURATION.put(type.name(), type);
  }

  static List<DataType> withoutConfiguration() {
    return WITHOUT_CONFIGURATION.values().stream()
        .filter(type -> !(type instanceof VariableLengthType))
        .toList();
  }

  static List<VariableLengthType> ofVariableLength() {
    return WITHOUT_CONFIGURATION.values().stream()
        .filter(VariableLengthType.class::isInstance)
        .map(VariableLengthType.class::cast)
        .toList();
  }

  static DataType parse(NamedConfiguration use) {
    return switch (use.name()) {
      case Datetime64Type.NAME -> Datetime64Type.parse(use);
      case Timedelta64Type.NAME -> Timedelta64Type.parse(use);
      case FixedLengthUtf32Type.NAME -> FixedLengthUtf32Type.parse(use);
      case NullTerminatedBytesType.NAME -> NullTerminatedBytesType.parse(use);
      case RawBytesType.NAME -> RawBytesType.parse(use);
      case StructType.NAME, StructType.LEGACY_NAME -> StructMetadata.read(use);
      case ListType.NAME -> ListType.parse(use);
      case "zarrs.optional", "optional" ->
          optional(use.name(), DataTypes.parse(NamedConfiguration.parse(use.configuration())));
      default -> parseAlone(use);
    };
  }

  static OptionalType optional(String name, DataType inner) {
    return inner instanceof VariableLengthType variable
        ? new VariableOptionalType(name, variable)
        : new FixedOptionalType(name, inner);
  }

  private static DataType parseAlone(NamedConfiguration use) {
    DataType type = WITHOUT_CONFIGURATION.get(use.name());
    if (type == null) {
      type = parseRaw(use);
    }
    use.configuration().allowOnly();
    return type;
  }

  private static DataType parseRaw(NamedConfiguration use) {
    Matcher raw = RAW.matcher(use.name());
    if (!raw.matches()) {
      List<String> known = new ArrayList<>(WITHOUT_CONFIGURATION.keySet());
      known.addAll(WITH_CONFIGURATION);
      known.add("r<N>");
      throw new UnknownExtensionException("data type", use.name(), known, use.source().location());
    }
    try {
      RawType type = new RawType(Integer.parseInt(raw.group(1)));
      if (type.name().equals(use.name())) { // no leading zeros
        return type;
      }
    } catch (IllegalArgumentException e) {
      // no multiple of 8, or beyond 31 bits
    }
    throw use.error("expected a positive multiple of 8 bits, below 2^31");
  }
}
