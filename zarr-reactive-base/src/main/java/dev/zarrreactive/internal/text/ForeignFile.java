package dev.zarrreactive.internal.text;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A kind of file that holds no value of Zarr, as its first bytes tell, for errors. */
public enum ForeignFile {
  ZIP("a zip archive", "zarr-reactive-zip on the class path opens it"),
  HDF5("a file of HDF5, which netCDF-4 is too", Help.CONVERT),
  NETCDF3("a file of netCDF-3", Help.CONVERT),
  GRIB("a file of GRIB", Help.CONVERT),
  TIFF("a TIFF picture", "convert it, for example with GDAL or bioformats2raw"),
  NUMPY("a file of NumPy", Help.IMPORT),
  PNG("a PNG picture", Help.IMPORT),
  KERCHUNK("a file of kerchunk references", Help.REFERENCES),
  DOCUMENT("the metadata document of a node", "name the directory that it is in"),
  ICECHUNK("a file of an Icechunk repository", "name the directory of the repository"),
  PARQUET("a file of Parquet", Help.CONVERT),
  HTML("a page of HTML", "check the URL, which leads to a page for browsers"),
  TAR("a tar archive", Help.UNPACK),
  GZIP("a file that gzip has compressed", Help.UNPACK_OR_CHUNK),
  ZSTD("a file that zstd has compressed", Help.UNPACK_OR_CHUNK),
  BZIP2("a file that bzip2 has compressed", Help.UNPACK_OR_CHUNK),
  XZ("a file that xz has compressed", Help.UNPACK_OR_CHUNK),
  SEVEN_ZIP("an archive of 7-Zip", Help.UNPACK);

  /** The number of first bytes that tell the kind. */
  public static final int START = 4096;

  private static final int TAR_AT = 257;

  /** A member of references, of version 1 or of none. */
  private static final Pattern REFERENCES =
      Pattern.compile(
          "\"refs\"\\s*:\\s*\\{|\"([^\"]*/)?(\\.zgroup|\\.zarray|zarr\\.json)\"\\s*:\\s*[\"{]");

  private static final Pattern FORMAT = Pattern.compile("\"zarr_format\"\\s*:");

  private final String what;
  private final String help;

  ForeignFile(String what, String help) {
    this.what = what;
    this.help = help;
  }

  /** Advice that several kinds have. */
  public static final class Help {
    static final String CONVERT = "convert it, for example by open_dataset and to_zarr of xarray";
    static final String IMPORT = "zarr import makes an array of it";
    static final String UNPACK = "unpack it first";
    static final String UNPACK_OR_CHUNK =
        "unpack it first; if it is a chunk, name the directory of its array";

    /** The advice for virtual references. */
    public static final String REFERENCES = "zarr-reactive-kerchunk on the class path opens them";

    /** The advice for a repository of Icechunk. */
    public static final String ICECHUNK = "zarr-reactive-icechunk on the class path opens it";

    private Help() {}
  }

  /** Returns the scheme of the adapter that opens such files; null where there is none. */
  public @Nullable String adapter() {
    return this == ZIP ? "zip" : this == KERCHUNK ? "kerchunk" : null;
  }

  /** Returns what the file is, with its article. */
  public String what() {
    return what;
  }

  /** Returns the sentence for an error: what the file is, and what helps. */
  public String sentence() {
    return "this is " + what + "; " + help;
  }

  /**
   * Returns the kind of a file; null for an unknown one.
   *
   * @param start the first {@link #START} bytes, or all where there are fewer
   */
  public static @Nullable ForeignFile of(byte[] start) {
    // one character for each byte
    String text = new String(start, StandardCharsets.ISO_8859_1);
    if (text.startsWith("PK\3\4") || text.startsWith("PK\5\6") || text.startsWith("PK\7\10")) {
      return ZIP;
    } else if (text.startsWith("\211HDF\r\n\032\n")) {
      return HDF5;
    } else if (text.startsWith("CDF\1") || text.startsWith("CDF\2") || text.startsWith("CDF\5")) {
      return NETCDF3;
    } else if (text.startsWith("GRIB")) {
      return GRIB;
    } else if (text.matches("(?s)(II[*+]\0|MM\0[*+]).*")) {
      return TIFF;
    } else if (text.startsWith("\223NUMPY")) {
      return NUMPY;
    } else if (text.startsWith("\211PNG\r\n\032\n")) {
      return PNG;
    } else if (text.startsWith("ICE\360\237\247\212CHUNK")) {
      return ICECHUNK;
    } else if (text.startsWith("PAR1")) {
      return PARQUET;
    } else if (text.startsWith("\37\213")) {
      return GZIP;
    } else if (text.startsWith("(\265/\375")) {
      return ZSTD;
    } else if (text.startsWith("BZh")) {
      return BZIP2;
    } else if (text.startsWith("\3757zXZ\0")) {
      return XZ;
    } else if (text.startsWith("7z\274\257\47\34")) {
      return SEVEN_ZIP;
    }
    return text.startsWith("ustar", TAR_AT) ? TAR : ofText(text);
  }

  private static @Nullable ForeignFile ofText(String text) {
    String begin = text.replaceFirst("^\357\273\277", "").stripLeading();
    String lower = begin.toLowerCase(Locale.ROOT);
    if (lower.startsWith("<!doctype html") || lower.startsWith("<html")) {
      return HTML;
    } else if (!begin.startsWith("{")) {
      return null;
    } else if (REFERENCES.matcher(begin).find() && !FORMAT.matcher(topLevel(begin)).find()) {
      return KERCHUNK;
    }
    return FORMAT.matcher(begin).find() ? DOCUMENT : null;
  }

  /** Returns the members of a JSON object before its first nested one. */
  private static String topLevel(String json) {
    int nested = json.indexOf('{', 1);
    return nested < 0 ? json : json.substring(0, nested);
  }
}
