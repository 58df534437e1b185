package dev.zarrreactive.ome;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.DimensionSelection;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.datatype.BoolType;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FloatType;
import dev.zarrreactive.datatype.IntegerType;
import dev.zarrreactive.encodings.Encodings;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.internal.guard.MemoryGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Draws one plane of an image: reads its samples, and adds its channels in their colours. */
final class ImageDrawing {
  private static final int MOST_PIXELS = 4096;

  /** The most channels that are drawn without attributes that choose some. */
  private static final int[] COLOURS = {0xFF0000, 0x00FF00, 0x0000FF, 0x00FFFF, 0xFF00FF, 0xFFFF00};

  private static final int WHITE = 0xFFFFFF;
  private static final int OPAQUE = 0xFF000000;

  private final OmeImage image;
  private final OmeLevel level;
  private final int rows;
  private final int columns;
  private final int height;
  private final int width;
  private final List<Drawn> channels;

  /** The part that is drawn, an element a pixel; null for the whole plane, at steps. */
  private final @Nullable OmeRegion region;

  /** A channel that is drawn, at an index of the axis of channels. */
  private record Drawn(
      int index, int colour, Optional<OmeChannel.Window> window, boolean inverted) {}

  private ImageDrawing(
      OmeImage image,
      OmeLevel level,
      int height,
      int width,
      List<Drawn> channels,
      @Nullable OmeRegion region) {
    int[] plane = plane(image.axes());
    this.image = image;
    this.level = level;
    this.rows = plane[0];
    this.columns = plane[1];
    this.height = height;
    this.width = width;
    this.channels = channels;
    this.region = region;
  }

  /** The rows and columns of a picture. */
  private record Size(int height, int width) {}

  /** Checks the sides of a picture. */
  static void checkSides(int height, int width) {
    if (height < 1 || height > MOST_PIXELS || width < 1 || width > MOST_PIXELS) {
      throw new IllegalArgumentException(
          "the sides of a picture are from 1 to "
              + MOST_PIXELS
              + ", not "
              + height
              + " and "
              + width);
    }
  }

  /** Emits the picture; as {@link OmeImage#picture}. */
  static Mono<OmePicture> of(OmeImage image, int mostRows, int mostColumns) {
    checkSides(mostRows, mostColumns);
    return Mono.defer(
        () -> {
          Shape first = image.levels().get(0).array().shape();
          if (first.isEmpty() || first.rank() < 2) {
            throw image
                .metadata()
                .refused("a picture needs a plane with an element; the shape is " + first);
          }
          Size size = size(image, mostRows, mostColumns);
          OmeLevel level = level(image, mostRows, mostColumns);
          return new ImageDrawing(
                  image, level, size.height, size.width, channels(image, level), null)
              .draw();
        });
  }

  /** Emits a part of a level; as {@link OmeImage#picture(OmeLevel, OmeRegion, int, int)}. */
  static Mono<OmePicture> of(
      OmeImage image,
      OmeLevel level,
      OmeRegion region,
      int height,
      int width,
      Optional<OmeChannel.Window> otherwise) {
    checkSides(height, width);
    long[][] indices = indices(image, level, region);
    int[] plane = plane(level.axes());
    long down = indices[plane[0]][1] - indices[plane[0]][0];
    long right = indices[plane[1]][1] - indices[plane[1]][0];
    if (down > height || right > width) {
      throw new IllegalArgumentException(
          "the region has "
              + down
              + " x "
              + right
              + " elements, more than the picture, which has "
              + height
              + " x "
              + width
              + " pixels; take a coarser level");
    }
    List<Drawn> drawn =
        drawn(image, level, region, indices).stream()
            .map(channel -> windowed(channel, image, level, otherwise))
            .toList();
    return Mono.defer(
            () -> new ImageDrawing(image, level, (int) down, (int) right, drawn, region).draw())
        .map(part -> new OmePicture(Encodings.rgba(part.rgb(), height, width), part.gaps()));
  }

  /** Returns the elements that are read; as {@link OmeImage#selection}. */
  static Selection selection(OmeImage image, OmeLevel level, OmeRegion region) {
    long[][] indices = indices(image, level, region);
    return new ImageDrawing(image, level, 1, 1, drawn(image, level, region, indices), region)
        .selection();
  }

  /** Returns the channels of a region that are drawn. */
  private static List<Drawn> drawn(
      OmeImage image, OmeLevel level, OmeRegion region, long[][] indices) {
    int ofChannels = channelDimension(level.axes());
    OmeRegion.Part named = ofChannels < 0 ? null : region.parts().get(name(level, ofChannels));
    List<Drawn> all =
        named != null && named.isPoint() ? every(image, level) : channels(image, level);
    return ofChannels < 0
        ? all
        : all.stream()
            .filter(
                channel ->
                    channel.index >= indices[ofChannels][0]
                        && channel.index < indices[ofChannels][1])
            .toList();
  }

  private static String name(OmeLevel level, int dimension) {
    return level.axes().get(dimension).name();
  }

  /** Returns the first index of each dimension, and the one after the last. */
  private static long[][] indices(OmeImage image, OmeLevel level, OmeRegion region) {
    if (!image.levels().contains(level)) {
      throw new IllegalArgumentException(
          "the level " + level.path() + " is none of the image " + image.group().path());
    }
    region.parts().keySet().forEach(level::dimension);
    int[] plane = plane(level.axes());
    int ofChannels = channelDimension(level.axes());
    long[][] indices = new long[level.axes().size()][];
    for (int d = 0; d < indices.length; d++) {
      OmeRegion.Part part = region.parts().get(name(level, d));
      boolean isRange = part != null && !part.isPoint();
      if (isRange && d != plane[0] && d != plane[1] && d != ofChannels) {
        throw new IllegalArgumentException(
            "a picture has one index of the axis " + name(level, d) + ", not " + part);
      }
      indices[d] = level.indices(d, part);
    }
    return indices;
  }

  /** Returns all channels, also those that are not active. */
  private static List<Drawn> every(OmeImage image, OmeLevel level) {
    List<Drawn> all = new ArrayList<>();
    long count = level.array().shape().extent(channelDimension(level.axes()));
    for (int i = 0; i < count; i++) {
      OmeChannel told = i < image.channels().size() ? image.channels().get(i) : null;
      all.add(
          told == null
              ? new Drawn(
                  i, count == 1 ? WHITE : COLOURS[i % COLOURS.length], Optional.empty(), false)
              : new Drawn(i, told.colour(), told.window(), told.inverted()));
    }
    return all;
  }

  /** Returns the channel with a window that does not depend on what is drawn. */
  private static Drawn windowed(
      Drawn channel, OmeImage image, OmeLevel level, Optional<OmeChannel.Window> otherwise) {
    Optional<OmeChannel.Window> window = channel.window.or(() -> otherwise);
    DataType type = level.array().dataType();
    if (window.isEmpty()
        && !image.isLabels()
        && !type.equals(DataTypes.UINT8)
        && !(type instanceof BoolType)) {
      throw new UnsupportedFeatureException(
          "the channel "
              + channel.index
              + " has no window (omero.channels["
              + channel.index
              + "].window), by which all parts of the image have the same colours; give the values"
              + " that are black and bright",
          Location.ofNode(image.group().path().value()));
    }
    return new Drawn(channel.index, channel.colour, window, channel.inverted);
  }

  private static Size size(OmeImage image, int mostRows, int mostColumns) {
    int[] plane = plane(image.axes());
    Shape first = image.levels().get(0).array().shape();
    double down = first.extent(plane[0]);
    double right = first.extent(plane[1]);
    double ratio = Math.min(1, Math.min(mostRows / down, mostColumns / right));
    return new Size(
        (int) Math.max(1, Math.round(down * ratio)), (int) Math.max(1, Math.round(right * ratio)));
  }

  /** Returns the coarsest level with an element for each pixel. */
  static OmeLevel level(OmeImage image, int mostRows, int mostColumns) {
    int[] plane = plane(image.axes());
    Size size = size(image, mostRows, mostColumns);
    OmeLevel chosen = image.levels().get(0);
    for (OmeLevel level : image.levels()) {
      Shape shape = level.array().shape();
      if (shape.extent(plane[0]) >= size.height && shape.extent(plane[1]) >= size.width) {
        chosen = level;
      }
    }
    return chosen;
  }

  /** Returns the dimensions of rows and columns: {@code y} and {@code x}, else the last two. */
  static int[] plane(List<OmeAxis> axes) {
    int rows = Math.max(0, axes.size() - 2);
    int columns = axes.size() - 1;
    List<String> names = axes.stream().map(OmeAxis::name).toList();
    return names.contains("y") && names.contains("x")
        ? new int[] {names.indexOf("y"), names.indexOf("x")}
        : new int[] {rows, columns};
  }

  /** Returns the dimension of the channels, which is none of the plane; -1 without. */
  private static int channelDimension(List<OmeAxis> axes) {
    int[] plane = plane(axes);
    for (int d = 0; d < axes.size(); d++) {
      boolean isOfChannels =
          axes.get(d).type().equals(OmeAxis.CHANNEL) || axes.get(d).name().equals("c");
      if (isOfChannels && d != plane[0] && d != plane[1]) {
        return d;
      }
    }
    return -1;
  }

  private static List<Drawn> channels(OmeImage image, OmeLevel level) {
    int dimension = channelDimension(image.axes());
    long count = dimension < 0 ? 1 : level.array().shape().extent(dimension);
    List<Drawn> drawn = new ArrayList<>();
    for (int i = 0; i < Math.min(count, image.channels().size()) && !image.isLabels(); i++) {
      OmeChannel channel = image.channels().get(i);
      if (channel.active()) {
        drawn.add(new Drawn(i, channel.colour(), channel.window(), channel.inverted()));
      }
    }
    if (drawn.isEmpty()) {
      long most = image.isLabels() ? 1 : Math.min(count, COLOURS.length);
      for (int i = 0; i < most; i++) {
        drawn.add(new Drawn(i, most == 1 ? WHITE : COLOURS[i], Optional.empty(), false));
      }
    }
    return drawn;
  }

  private Mono<OmePicture> draw() {
    DataType type = level.array().dataType();
    if (!(type instanceof IntegerType || type instanceof FloatType || type instanceof BoolType)) {
      throw new UnsupportedFeatureException(
          "a picture shows integers, floats and bool, not " + type,
          Location.ofNode(level.array().path().value()));
    }
    return level
        .array()
        .read(selection())
        .map(
            samples ->
                MemoryGuard.allocating(
                    "to draw an image",
                    3L * height * width,
                    Location.ofNode(level.array().path().value()),
                    () -> picture(samples)));
  }

  /** Returns the samples of the picture: at least one in each direction of a pixel, at most 4. */
  private Selection selection() {
    Shape shape = level.array().shape();
    DimensionSelection[] parts = new DimensionSelection[shape.rank()];
    int ofChannels = channelDimension(image.axes());
    for (int d = 0; d < parts.length; d++) {
      OmeRegion.Part part = region == null ? null : region.parts().get(level.axes().get(d).name());
      if (region != null && (d == rows || d == columns)) {
        long[] indices = level.indices(d, part);
        parts[d] = DimensionSelection.slice(indices[0], indices[1]);
      } else if (d == rows || d == columns) {
        long pixels = d == rows ? height : width;
        parts[d] = DimensionSelection.every(Math.max(1, shape.extent(d) / (2 * pixels)));
      } else if (d == ofChannels) {
        parts[d] = DimensionSelection.indices(channels.stream().mapToLong(Drawn::index).toArray());
      } else if (part != null) {
        parts[d] = DimensionSelection.at(level.indices(d, part)[0]);
      } else {
        parts[d] = DimensionSelection.at(shown(d, shape.extent(d)));
      }
    }
    return Selection.of(parts);
  }

  /** Returns the index of another axis that is drawn: by the attributes, else the middle of z. */
  private long shown(int dimension, long extent) {
    OmeAxis axis = image.axes().get(dimension);
    long first = image.levels().get(0).array().shape().extent(dimension);
    if (axis.name().equals("z")) {
      long plane = image.metadata().defaultPlane().orElse(first / 2);
      return Math.min(extent - 1, Math.min(plane, first - 1) * extent / first);
    }
    long time = axis.name().equals("t") ? image.metadata().defaultTime().orElse(0) : 0;
    return Math.min(extent - 1, time);
  }

  /** Returns the samples of one channel in rows and columns. */
  private NdArray plane(NdArray samples, int channel) {
    NdArray plane = samples;
    boolean hasChannels = samples.shape().rank() == 3;
    if (hasChannels) {
      int before = channelDimension(image.axes());
      int place = (rows < before ? 1 : 0) + (columns < before ? 1 : 0);
      DimensionSelection[] parts = {
        DimensionSelection.full(), DimensionSelection.full(), DimensionSelection.full()
      };
      parts[place] = DimensionSelection.at(channel);
      plane = samples.slice(Selection.of(parts));
    }
    return (rows < columns ? plane : plane.transpose(1, 0)).cast(DataTypes.FLOAT64);
  }

  private OmePicture picture(NdArray samples) {
    byte[] rgb = new byte[Math.multiplyExact(3, Math.multiplyExact(height, width))];
    if (image.isLabels()) {
      drawLabels(plane(samples, 0), rgb);
    } else {
      float[] light = new float[rgb.length];
      for (int i = 0; i < channels.size(); i++) {
        addChannel(channels.get(i), means(plane(samples, i)), light);
      }
      for (int i = 0; i < rgb.length; i++) {
        rgb[i] = (byte) Math.round(Math.min(255, light[i]));
      }
    }
    return new OmePicture(
        NdArray.ofBytes(DataTypes.UINT8, Shape.of(height, width, 3), rgb), image.gaps());
  }

  /** Returns the mean of the samples in each pixel; NaN without any number. */
  private double[] means(NdArray plane) {
    int down = (int) plane.shape().extent(0);
    int right = (int) plane.shape().extent(1);
    double[] samples = plane.toDoubleArray();
    double[] means = new double[height * width];
    for (int y = 0; y < height; y++) {
      int top = (int) ((long) y * down / height);
      int bottom = (int) Math.max(top + 1L, (y + 1L) * down / height);
      for (int x = 0; x < width; x++) {
        int left = (int) ((long) x * right / width);
        int end = (int) Math.max(left + 1L, (x + 1L) * right / width);
        double sum = 0;
        int count = 0;
        for (int i = top; i < bottom; i++) {
          for (int j = left; j < end; j++) {
            double sample = samples[i * right + j];
            if (!Double.isNaN(sample)) {
              sum += sample;
              count++;
            }
          }
        }
        means[y * width + x] = count == 0 ? Double.NaN : sum / count;
      }
    }
    return means;
  }

  private void addChannel(Drawn channel, double[] values, float[] light) {
    double[] window = window(channel, values);
    double length = window[1] - window[0];
    for (int i = 0; i < values.length; i++) {
      double place =
          length == 0 ? (values[i] > window[0] ? 1 : 0) : (values[i] - window[0]) / length;
      double clipped = Math.max(0, Math.min(1, place));
      double shown = channel.inverted() ? 1 - clipped : clipped;
      if (!Double.isNaN(shown)) {
        for (int c = 0; c < 3; c++) {
          light[3 * i + c] += (float) (shown * (channel.colour() >> (16 - 8 * c) & 0xFF));
        }
      }
    }
  }

  private double[] window(Drawn channel, double[] values) {
    if (channel.window().isPresent()) {
      OmeChannel.Window window = channel.window().get();
      return new double[] {window.start(), window.end()};
    }
    DataType type = level.array().dataType();
    if (type.equals(DataTypes.UINT8)) {
      return new double[] {0, 255};
    } else if (type instanceof BoolType) {
      return new double[] {0, 1};
    }
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (double value : values) {
      if (Double.isFinite(value)) {
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    return new double[] {least, greatest};
  }

  /** Draws the label in the middle of each pixel: a mean of labels is another label. */
  private void drawLabels(NdArray plane, byte[] rgb) {
    int down = (int) plane.shape().extent(0);
    int right = (int) plane.shape().extent(1);
    double[] labels = plane.toDoubleArray();
    Map<Long, Integer> colours = image.metadata().labels().map(OmeLabels::colours).orElse(Map.of());
    for (int y = 0; y < height; y++) {
      int row = (int) ((2L * y + 1) * down / (2L * height));
      for (int x = 0; x < width; x++) {
        int column = (int) ((2L * x + 1) * right / (2L * width));
        long label = (long) labels[row * right + column];
        int colour = colours.getOrDefault(label, usualColour(label));
        for (int c = 0; c < 3; c++) {
          int part = (colour >> (16 - 8 * c) & 0xFF) * (colour >>> 24) / 255;
          rgb[3 * (y * width + x) + c] = (byte) part;
        }
      }
    }
  }

  /** Returns black for the background 0, and a light colour that scatters other labels. */
  private static int usualColour(long label) {
    if (label == 0) {
      return 0;
    }
    int scattered = Long.hashCode(label * 0x9E3779B97F4A7C15L);
    return OPAQUE | 0x404040 | scattered;
  }
}
