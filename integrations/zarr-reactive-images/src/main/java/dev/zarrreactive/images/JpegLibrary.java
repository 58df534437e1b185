package dev.zarrreactive.images;

import dev.zarrreactive.error.CodecException;
import dev.zarrreactive.error.Location;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import javax.imageio.IIOImage;
import javax.imageio.ImageReader;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.spi.IIORegistry;
import javax.imageio.spi.ImageReaderSpi;
import javax.imageio.spi.ImageReaderWriterSpi;
import javax.imageio.spi.ImageWriterSpi;
import javax.imageio.stream.ImageInputStreamImpl;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.NodeList;

/**
 * The JDK's decoder and encoder of JPEG. A reader or a writer serves one chunk: each has the state
 * of one stream. Other plug-ins of ImageIO that an application may have are left out.
 */
final class JpegLibrary {
  private static final ImageReaderSpi READERS = ofJdk(ImageReaderSpi.class);
  private static final ImageWriterSpi WRITERS = ofJdk(ImageWriterSpi.class);

  private JpegLibrary() {}

  private static <T extends ImageReaderWriterSpi> T ofJdk(Class<T> kind) {
    Iterator<T> all = IIORegistry.getDefaultInstance().getServiceProviders(kind, false);
    while (all.hasNext()) {
      T spi = all.next();
      if (spi.getClass().getName().startsWith("com.sun.imageio.plugins.jpeg.")) {
        return spi;
      }
    }
    throw new IllegalStateException("this Java has no JPEG in its ImageIO");
  }

  /**
   * Decodes a stream without a conversion of its colors.
   *
   * @return the components of each pixel, row by row
   * @throws CodecException for damaged bytes
   */
  static byte[] decode(JpegStream stream) {
    List<String> warnings = new ArrayList<>();
    try {
      ImageReader reader = READERS.createReaderInstance();
      try {
        reader.setInput(new InMemory(stream.bytes()), true, true);
        reader.addIIOReadWarningListener((source, warning) -> warnings.add(warning));
        Raster raster = reader.readRaster(0, null);
        if (!warnings.isEmpty()) {
          throw failed(warnings.get(0), null);
        }
        int size = stream.width() * stream.height() * stream.components();
        if (raster.getWidth() != stream.width()
            || raster.getHeight() != stream.height()
            || raster.getNumBands() != stream.components()) {
          throw failed("another size than its header says", null);
        }
        return (byte[])
            raster.getDataElements(0, 0, stream.width(), stream.height(), new byte[size]);
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof CodecException known) {
        throw known;
      }
      throw failed(String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * Encodes an image as a baseline stream of JFIF.
   *
   * @param pixels the components of each pixel, row by row: grey, or red, green and blue
   * @param subsampling how many pixels share a color, across and down; 1 and 1 for none
   */
  static byte[] encode(
      byte[] pixels, int width, int height, boolean isRgb, float quality, int[] subsampling) {
    BufferedImage image =
        new BufferedImage(
            width, height, isRgb ? BufferedImage.TYPE_INT_RGB : BufferedImage.TYPE_BYTE_GRAY);
    image.getRaster().setPixels(0, 0, width, height, unsigned(pixels));
    try (ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        MemoryCacheImageOutputStream out = new MemoryCacheImageOutputStream(bytes)) {
      ImageWriter writer = WRITERS.createWriterInstance();
      try {
        ImageWriteParam settings = writer.getDefaultWriteParam();
        settings.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        settings.setCompressionQuality(quality);
        IIOMetadata header =
            writer.getDefaultImageMetadata(
                ImageTypeSpecifier.createFromRenderedImage(image), settings);
        if (isRgb) {
          subsample(header, subsampling);
        }
        writer.setOutput(out);
        writer.write(null, new IIOImage(image, null, header), settings);
        out.flush();
        return bytes.toByteArray();
      } finally {
        writer.dispose();
      }
    } catch (IOException e) {
      throw new CodecException("JPEG cannot encode it: " + e.getMessage(), Location.UNKNOWN, e);
    }
  }

  private static int[] unsigned(byte[] pixels) {
    int[] values = new int[pixels.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = pixels[i] & 0xff;
    }
    return values;
  }

  private static void subsample(IIOMetadata header, int[] subsampling) throws IOException {
    String format = header.getNativeMetadataFormatName();
    IIOMetadataNode tree = (IIOMetadataNode) header.getAsTree(format);
    NodeList components = tree.getElementsByTagName("componentSpec");
    IIOMetadataNode brightness = (IIOMetadataNode) components.item(0);
    brightness.setAttribute("HsamplingFactor", Integer.toString(subsampling[0]));
    brightness.setAttribute("VsamplingFactor", Integer.toString(subsampling[1]));
    header.setFromTree(format, tree);
  }

  private static CodecException failed(String why, @Nullable Throwable cause) {
    return new CodecException("the JPEG stream is damaged: " + why, Location.UNKNOWN, cause);
  }

  /** Bytes in memory, which the decoder reads without a copy in a file. */
  private static final class InMemory extends ImageInputStreamImpl {
    private final byte[] bytes;

    InMemory(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public int read() {
      bitOffset = 0;
      return streamPos < bytes.length ? bytes[(int) streamPos++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) {
      bitOffset = 0;
      int count = (int) Math.min(length, bytes.length - streamPos);
      if (count <= 0) {
        return length == 0 ? 0 : -1;
      }
      System.arraycopy(bytes, (int) streamPos, target, offset, count);
      streamPos += count;
      return count;
    }

    @Override
    public long length() {
      return bytes.length;
    }
  }
}
