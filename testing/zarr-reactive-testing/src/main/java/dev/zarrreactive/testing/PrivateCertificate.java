package dev.zarrreactive.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for {@code localhost} and its subdomains that no authority has signed, and its key.
 *
 * @param file a file of PKCS12 with both
 */
public record PrivateCertificate(Path file) {
  /** The password of the file and of the key. */
  public static final String PASSWORD = "changeit";

  /** The name of the entry. */
  public static final String ALIAS = "server";

  /** Makes one by the program of the JDK. */
  public static PrivateCertificate in(Path directory) {
    Path file = directory.resolve("keys.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=localhost",
            "-ext",
            "san=dns:localhost,ip:127.0.0.1",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    try {
      Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
      String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.onExit().join().exitValue() != 0) {
        throw new AssertionError(printed);
      }
      return new PrivateCertificate(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The entry. */
  public KeyStore keys() {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, PASSWORD.toCharArray());
      return keys;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Shows the certificate. */
  public KeyManagerFactory own() {
    try {
      KeyManagerFactory own =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      own.init(keys(), PASSWORD.toCharArray());
      return own;
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** Trusts the certificate, and no other. */
  public TrustManagerFactory trusted() {
    try {
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry(ALIAS, keys().getCertificate(ALIAS));
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      return factory;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
