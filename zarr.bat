@echo off
rem The zarr command. In a clone it builds the command when it is missing, then runs it;
rem '--image DIR' makes a directory with the command and a JVM of its own, of which this script becomes bin\zarr.bat.
rem After a change of the sources delete tools\zarr-reactive-cli\target\zarr.jar.
rem It has the steps of the script zarr, but for the look at changed sources, the archive of classes for quick starts,
rem the packages, and the terminal, which Java asks for itself here.
setlocal
set "ZARR_ROOT=%~dp0"
set "ZARR_IMAGE=%ZARR_ROOT%..\lib\zarr"
set "ZARR_TOOLS="
if defined JAVA_HOME set "ZARR_TOOLS=%JAVA_HOME%\bin\"
if exist "%ZARR_IMAGE%\zarr.jar" goto image

rem ZARR_JAR: a jar that was built elsewhere
if defined ZARR_JAR goto built
set "ZARR_JAR=%ZARR_ROOT%tools\zarr-reactive-cli\target\zarr.jar"
if exist "%ZARR_JAR%" goto built
echo zarr: building (the first time with a download, which takes some minutes)... 1>&2
pushd "%ZARR_ROOT%"
call mvnw.cmd -B -q -ntp -pl :zarr-reactive-cli -am package -Dmaven.test.skip=true 1>&2
if errorlevel 1 goto not_built
popd

:built
set "ZARR_JAVA=%ZARR_TOOLS%java"
if "%~1"=="--image" goto make_image
if "%~1"=="--packages" goto no_packages
goto choose

:image
set "ZARR_JAR=%ZARR_IMAGE%\zarr.jar"
set "ZARR_JAVA=%ZARR_ROOT%java"

rem A short command is over before an optimizing compiler pays. One that reads much calls compilers later than usual:
rem codecs do most of its work. Its heap begins small, and grows where it must.
rem Options of the user that choose a collector or a heap go before.
:choose
set "ZARR_COLLECTOR=-XX:+UseSerialGC"
set "ZARR_HEAP=-Xms64m"
if not defined ZARR_JAVA_OPTS goto modest
if not "%ZARR_JAVA_OPTS:GC=%"=="%ZARR_JAVA_OPTS%" set "ZARR_COLLECTOR="
if not "%ZARR_JAVA_OPTS:-Xm=%"=="%ZARR_JAVA_OPTS%" set "ZARR_HEAP="
if not "%ZARR_JAVA_OPTS:HeapSize=%"=="%ZARR_JAVA_OPTS%" set "ZARR_HEAP="
if not "%ZARR_JAVA_OPTS:RAMPercentage=%"=="%ZARR_JAVA_OPTS%" set "ZARR_HEAP="
:modest
set "ZARR_MODEST="
set "ZARR_FIRST=%~1"
if not defined ZARR_FIRST goto short
for %%c in (-h --help -V --version attrs completion header help info ls tree) do if "%ZARR_FIRST%"=="%%c" goto short
for %%c in (append copy diff import read stats validate view) do if "%ZARR_FIRST%"=="%%c" goto reading
goto run

:short
set "ZARR_MODEST=-XX:TieredStopAtLevel=1 %ZARR_COLLECTOR%"
goto run

:reading
set "ZARR_MODEST=%ZARR_COLLECTOR% %ZARR_HEAP%"
set "ZARR_MODEST=%ZARR_MODEST% -XX:Tier3InvocationThreshold=1000 -XX:Tier3MinInvocationThreshold=500 -XX:Tier3CompileThreshold=5000"
set "ZARR_MODEST=%ZARR_MODEST% -XX:Tier4InvocationThreshold=40000 -XX:Tier4MinInvocationThreshold=20000 -XX:Tier4CompileThreshold=100000"
set "ZARR_MODEST=%ZARR_MODEST% -XX:Tier4BackEdgeThreshold=400000"

rem ZARR_JAVA_OPTS: options for the JVM, for example -Xmx128m
:run
"%ZARR_JAVA%" -XX:+IgnoreUnrecognizedVMOptions "-Xlog:cds*=off" %ZARR_MODEST% -Dzarr.command=zarr %ZARR_JAVA_OPTS% -jar "%ZARR_JAR%" %*
exit /b %ERRORLEVEL%

:make_image
if "%~2"=="" (
  echo zarr: error: --image needs a new directory 1>&2
  exit /b 2
)
if exist "%~2" (
  echo zarr: error: --image needs a new directory, and %~2 is there 1>&2
  exit /b 2
)
rem jdeps sees no provider that is looked up: elliptic curves of TLS, and the file system of archives
set "ZARR_LIST=%TEMP%\zarr-modules-%RANDOM%.txt"
"%ZARR_TOOLS%jdeps" --multi-release 17 --ignore-missing-deps --print-module-deps "%ZARR_JAR%" >"%ZARR_LIST%"
if errorlevel 1 goto no_jdk
set /p ZARR_MODULES=<"%ZARR_LIST%"
del "%ZARR_LIST%"
set "ZARR_MODULES=%ZARR_MODULES%,jdk.crypto.ec,jdk.zipfs"
"%ZARR_TOOLS%jlink" --add-modules "%ZARR_MODULES%" --strip-java-debug-attributes --no-header-files --no-man-pages --compress=2 --output "%~2" 1>&2
if errorlevel 1 goto no_jdk
mkdir "%~2\lib\zarr"
copy /y "%ZARR_JAR%" "%~2\lib\zarr\zarr.jar" >nul
copy /y "%~f0" "%~2\bin\zarr.bat" >nul
echo zarr: %~2\bin\zarr.bat is there, with a JVM of its own 1>&2
exit /b 0

:no_jdk
echo zarr: error: --image needs jlink and jdeps of a JDK, on the PATH or in JAVA_HOME 1>&2
exit /b 1

:no_packages
echo zarr: error: --packages needs a shell of Unix; --image DIR makes a directory that needs no Java 1>&2
exit /b 1

:not_built
popd
echo zarr: the build failed 1>&2
exit /b 1
