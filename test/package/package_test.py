"""The installed package, used by projects that know nothing else of this tree.

    package_test.py BUILD WORK COMPILER --stator=PROGRAM

Installs the library of the build tree BUILD below WORK and builds against it, once by find_package
and once by pkg-config, every program of the documents (see documents.py); by find_package, also all
examples. The programs of the documents, examples/guestbook and examples/entities run in an empty
directory and must print what is written about them. A part must not bring along the libraries of
another.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys

import documents

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
# What a program that links only this part must not need.
FOREIGN = {
    "core": ["curl", "rocksdb"], "database": ["curl"], "client": ["curl", "rocksdb"],
    "patterns": ["curl", "rocksdb"], "mapping": ["curl", "rocksdb"], "entities": ["curl"],
    "tasks": ["curl"],
}


def run(*command, cwd=None, env=None, expect=0):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=900)
    if done.returncode != expect:
        sys.exit(f"{' '.join(map(str, command))}\nended with {done.returncode}\n{done.stdout}")
    return done.stdout


class Package:
    def __init__(self, arguments):
        self.work = pathlib.Path(arguments.work).resolve()
        self.compiler = arguments.compiler
        self.stator = arguments.stator
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.prefix = self.work / "prefix"
        run("cmake", "--build", arguments.build, "--target", "stator_package")
        run("cmake", "--install", arguments.build, "--component", "library", "--prefix",
            self.prefix)

    # ---- The two ways --------------------------------------------------------------------------

    def configure(self, source, build):
        run("cmake", "-S", source, "-B", build, "-G", "Ninja",
            f"-DCMAKE_CXX_COMPILER={self.compiler}", f"-DCMAKE_PREFIX_PATH={self.prefix}",
            f"-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")

    def by_cmake(self, programs):
        """All programs in one project, each linked with its own part."""
        source, build = self.work / "project", self.work / "build"
        source.mkdir()
        parts = sorted({part for program in programs for part in program.part.split()})
        lines = ["cmake_minimum_required(VERSION 3.25)", "project(programs LANGUAGES CXX)",
                 f"find_package(stator REQUIRED COMPONENTS {' '.join(parts)})"]
        for program in programs:
            (source / f"{program.name}.cc").write_text(program.code)
            lines += [f"add_executable({program.name} {program.name}.cc)",
                      f"target_link_libraries({program.name} PRIVATE " +
                      " ".join(f"stator::{part}" for part in program.part.split()) + ")"]
        (source / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
        self.configure(source, build)
        run("cmake", "--build", build)
        return build

    def by_pkg_config(self, program):
        descriptions = next(self.prefix.rglob("stator-core.pc")).parent
        env = {**os.environ, "PKG_CONFIG_PATH": str(descriptions)}
        options = run("pkg-config", "--cflags", "--libs",
                      *(f"stator-{part}" for part in program.part.split()), env=env).split()
        built = self.work / f"{program.name}_by_pkg_config"
        run(self.compiler, self.work / "project" / f"{program.name}.cc", "-o", built,
            *options)
        return built

    # ---- Checks --------------------------------------------------------------------------------

    def check_output(self, program, built):
        place = self.work / "run"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        command = [built]
        if program.needs_server:
            command = [sys.executable, HERE / "with_server.py", self.stator, built, "URL"]
        printed = run(*command, cwd=place)
        if printed.rstrip("\n") != program.output.rstrip("\n"):
            sys.exit(f"{program.place}: the program printed\n{printed}\nbut the document says\n"
                     f"{program.output}")

    def check_libraries(self, program, built):
        needed = [line for line in run("readelf", "-d", built).splitlines() if "(NEEDED)" in line]
        for word in FOREIGN.get(program.part, []):
            if any(word in line for line in needed):
                sys.exit(f"{program.place}: stator::{program.part} brings along {word}")

    def check_guestbook(self):
        build = self.work / "guestbook"
        self.configure(ROOT / "examples" / "guestbook", build)
        run("cmake", "--build", build)
        guestbook, line = build / "guestbook", "Ada wrote: hello\n"
        guests = self.work / "guests"
        for location, expected in [("memory:", line), (guests, line), (f"file:{guests}", 2 * line)]:
            assert run(guestbook, location, "Ada", "hello") == expected, location
        assert run(sys.executable, HERE / "with_server.py", self.stator, guestbook, "URL",
                   "Ada", "hello") == line
        said = run(guestbook, "http://127.0.0.1:1", "Ada", "hello", expect=1)
        assert said.startswith("guestbook: "), said
        # libcurl is loaded by the first request: without it only homes in the process work.
        broken = self.work / "broken"
        broken.mkdir()
        (broken / "libcurl.so.4").touch()
        env = {**os.environ, "LD_LIBRARY_PATH": str(broken)}
        assert run(guestbook, "memory:", "Ada", "hello", env=env) == line
        said = run(guestbook, "http://127.0.0.1:1", "Ada", "hello", env=env, expect=1)
        assert "the package libcurl4" in said, said

    def check_shop(self):
        """examples/entities: what it prints, and that the policy beside it is the one it needs."""
        build = self.work / "shop"
        source = ROOT / "examples" / "entities"
        self.configure(source, build)
        run("cmake", "--build", build)
        expected = (source / "output.txt").read_text()
        assert run(build / "shop", "memory:") == expected
        assert run(sys.executable, HERE / "with_server.py", self.stator, build / "shop",
                   "URL") == expected
        assert run(build / "shop", "policy") == (source / "policy.json").read_text()

    def check_other_examples(self):
        """The examples that are also parts of suites of this tree: each builds on its own."""
        source = self.work / "examples"
        source.mkdir()
        lines = ["cmake_minimum_required(VERSION 3.25)", "project(examples LANGUAGES CXX)",
                 "find_package(stator REQUIRED)"]
        for folder in sorted((ROOT / "examples").iterdir()):
            code = sorted(folder.glob("*.cc"))
            if not code or folder.name in ("guestbook", "entities"):
                continue
            lines += [f"add_executable({folder.name} {' '.join(map(str, code))})",
                      f"target_include_directories({folder.name} PRIVATE {folder} {ROOT})",
                      f"target_link_libraries({folder.name} PRIVATE stator::stator)"]
        (source / "CMakeLists.txt").write_text("\n".join(lines) + "\n")
        build = self.work / "examples_build"
        self.configure(source, build)
        run("cmake", "--build", build)

    def check_refusal(self):
        """A part that does not exist is named, with those that do."""
        source = self.work / "wrong"
        source.mkdir()
        (source / "CMakeLists.txt").write_text(
            "cmake_minimum_required(VERSION 3.25)\nproject(wrong LANGUAGES CXX)\n"
            "find_package(stator REQUIRED COMPONENTS datbase)\n")
        said = run("cmake", "-S", source, "-B", self.work / "wrong_build", "-G", "Ninja",
                   f"-DCMAKE_CXX_COMPILER={self.compiler}", f"-DCMAKE_PREFIX_PATH={self.prefix}",
                   expect=1)
        assert "no part called datbase" in " ".join(said.split()), said


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build")
    parser.add_argument("work")
    parser.add_argument("compiler")
    parser.add_argument("--stator", required=True)
    package = Package(parser.parse_args())
    programs = documents.programs(ROOT)
    assert programs, "the documents have no program"
    build = package.by_cmake(programs)
    for program in programs:
        package.check_output(program, build / program.name)
        package.check_libraries(program, build / program.name)
        package.check_output(program, package.by_pkg_config(program))
        print(f"{program.name}: as {program.place} says", flush=True)
    package.check_guestbook()
    package.check_shop()
    package.check_other_examples()
    package.check_refusal()


if __name__ == "__main__":
    main()
