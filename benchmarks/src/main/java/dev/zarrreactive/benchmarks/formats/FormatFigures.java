package dev.zarrreactive.benchmarks.formats;

import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.codec.ArrayToBytesCodec;
import dev.zarrreactive.codec.ChunkRepresentation;
import dev.zarrreactive.codec.CodecRegistry;
import dev.zarrreactive.datatype.DataType;
import dev.zarrreactive.datatype.DataTypes;
import dev.zarrreactive.datatype.FillValue;
import dev.zarrreactive.error.Location;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonDocument;
import dev.zarrreactive.json.JsonObject;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Decodes and encodes chunks of a million numbers by zfp and pcodec, in turns with the native
 * libraries: {@code FormatFigures DIRECTORY PYTHON [ROUNDS]}, with a Python that has zfpy and
 * pcodec, and the program {@code formats_peer.py} beside this one. Each side uses one thread, whose
 * processor time counts. Prints a table in Markdown, of medians: 1 is as fast as the library, 0.5
 * half as fast.
 */
public final class FormatFigures {
  private static final String PEER =
      "benchmarks/src/main/java/dev/zarrreactive/benchmarks/formats/formats_peer.py";

  private static final int TIMES = 4;

  private FormatFigures() {}

  private interface Work {
    void run(int times) throws IOException;
  }

  /** A case of the peer's, with what it has encoded. */
  private record Case(
      String title,
      ArrayToBytesCodec codec,
      ChunkRepresentation chunk,
      NdArray array,
      Bytes encoded) {
    static Case parse(String line, Path directory, int number) throws IOException {
      String[] part = line.split("\t", -1);
      byte[] json = part[2].getBytes(StandardCharsets.UTF_8);
      JsonObject members =
          (JsonObject) JsonDocument.parse(ByteBuffer.wrap(json), Location.UNKNOWN).value();
      DataType type = DataTypes.parse(NamedConfiguration.of(part[3]));
      Shape shape = Shape.of(Stream.of(part[4].split(",")).mapToLong(Long::parseLong).toArray());
      Bytes raw = Bytes.wrap(Files.readAllBytes(directory.resolve(number + ".raw")));
      return new Case(
          part[0] + ", " + type,
          (ArrayToBytesCodec)
              CodecRegistry.standard().create(NamedConfiguration.of(part[1], members)),
          new ChunkRepresentation(shape, type, FillValue.zero(type)),
          NdArray.wrap(type, shape, raw),
          Bytes.wrap(Files.readAllBytes(directory.resolve(number + ".enc"))));
    }

    void decode(int times) {
      for (int i = 0; i < times; i++) {
        codec.decode(encoded, chunk);
      }
    }

    void encode(int times) {
      for (int i = 0; i < times; i++) {
        codec.encode(array, chunk);
      }
    }
  }

  /** Measures. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createDirectories(Path.of(arguments[0]));
    int rounds = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 9;
    Process peer =
        new ProcessBuilder(arguments[1], PEER, directory.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader answers = peer.inputReader(StandardCharsets.UTF_8);
        Writer questions = peer.outputWriter(StandardCharsets.UTF_8)) {
      List<Case> cases = new ArrayList<>();
      for (String line = answers.readLine();
          line != null && !line.isEmpty();
          line = answers.readLine()) {
        cases.add(Case.parse(line, directory, cases.size()));
      }
      System.out.println(
          "| chunk | decodes, ÷ the library | encodes, ÷ the library | bytes, ÷ the library's |");
      System.out.println("|---|---|---|---|");
      for (int i = 0; i < cases.size(); i++) {
        Case one = cases.get(i);
        int number = i;
        System.out.printf(
            Locale.ROOT,
            "| %s | %.2f | %.2f | %.2f |%n",
            one.title(),
            ratio(rounds, one::decode, times -> ask(questions, "decode", number, times), answers),
            ratio(rounds, one::encode, times -> ask(questions, "encode", number, times), answers),
            (double) one.codec().encode(one.array(), one.chunk()).size() / one.encoded().size());
      }
    } finally {
      peer.destroy();
    }
  }

  private static void ask(Writer questions, String what, int number, int times) throws IOException {
    questions.write(what + " " + number + " " + times + "\n");
    questions.flush();
  }

  /** Returns the library's time ÷ ours, each the median of the rounds. */
  private static double ratio(int rounds, Work ours, Work theirs, BufferedReader answers)
      throws IOException {
    ours.run(20);
    double[] own = new double[rounds];
    double[] other = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      ours.run(TIMES);
      own[round] = (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before) / 1e9;
      theirs.run(TIMES);
      other[round] = Double.parseDouble(answers.readLine());
    }
    Arrays.sort(own);
    Arrays.sort(other);
    return other[rounds / 2] / own[rounds / 2];
  }
}
