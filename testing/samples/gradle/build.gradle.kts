plugins {
    application
}

repositories {
    mavenCentral()
}

val zarrVersion = providers.gradleProperty("zarrVersion").getOrElse("0.1.0-SNAPSHOT")

dependencies {
    implementation(platform("dev.zarrreactive:zarr-reactive-bom:$zarrVersion"))
    implementation("dev.zarrreactive:zarr-reactive-core")
    implementation("dev.zarrreactive:zarr-reactive-http") // for locations that are URLs
}

tasks.compileJava {
    options.release = 17
    options.compilerArgs.addAll(listOf("-Xlint:all", "-Werror"))
}

application {
    mainClass = "sample.Rows"
    // zstd, lz4 and netty load native libraries: without this option Java 24 and newer warn of it
    applicationDefaultJvmArgs = listOf("--enable-native-access=ALL-UNNAMED")
}
